//! Every lease store keeps the promises of the lease table.

use std::{fs, path::PathBuf};

use kinesis_app::{
    FileLeases, LeaseStore, MemoryLeases, StoreError, StoredStart, StreamRow, StreamWrite,
    check_lease_store,
};

#[tokio::test(start_paused = true)]
async fn the_memory_store_keeps_the_promises_of_the_lease_table() {
    check_lease_store(&MemoryLeases::new(), "conformance").await;
}

/// A path of its own for each test, with nothing there.
fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("leases");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.json"));
    let _ = fs::remove_file(&path);
    path
}

fn stream(key: &str) -> StreamRow {
    StreamRow {
        key: key.into(),
        created_millis: 1,
        start: StoredStart::TrimHorizon,
        generation: 0,
        position: None,
        bell: 0,
    }
}

#[tokio::test(start_paused = true)]
async fn the_file_store_keeps_the_promises_of_the_lease_table() {
    check_lease_store(&FileLeases::new(fresh("conformance")), "conformance").await;
}

#[tokio::test(start_paused = true)]
async fn a_file_of_leases_is_there_after_a_restart() {
    let path = fresh("restart");
    let before = FileLeases::new(&path);
    before.prepare().await.expect("a new file");
    before
        .meet_stream(&stream("billing:orders"))
        .await
        .expect("met");
    drop(before);
    let after = FileLeases::new(&path);
    after.prepare().await.expect("the same file");
    let found = after.stream("billing:orders").await.expect("read");
    assert_eq!(found, Some(stream("billing:orders")));
}

/// The bytes tell whether the file was written again: a line break behind the rows means nothing, and no writer of ours leaves one.
#[tokio::test(start_paused = true)]
async fn a_write_that_changes_nothing_leaves_the_file_of_leases_untouched() {
    let path = fresh("untouched");
    let leases = FileLeases::new(&path);
    let row = stream("billing:orders");
    leases.meet_stream(&row).await.expect("met");
    let mut text = fs::read(&path).expect("written");
    text.push(b'\n');
    fs::write(&path, &text).expect("marked");
    let untouched = || fs::read(&path).expect("still there") == text;

    assert_eq!(leases.meet_stream(&row).await.expect("met again"), row);
    assert!(untouched(), "by a row that stands");
    let seek = StreamWrite::Seek {
        key: row.key.clone(),
        seen_generation: 7,
        position: StoredStart::TrimHorizon,
    };
    let refused = leases.write_stream(&seek).await;
    assert!(matches!(refused, Err(StoreError::Refused)), "{refused:?}");
    assert!(untouched(), "by a write that is refused");

    let ring = StreamWrite::Ring { key: row.key };
    leases.write_stream(&ring).await.expect("rung");
    assert!(!untouched(), "a write that is applied writes");
}

/// Each with a handle of its own, as processes have, and a runtime of its own. A lost write would be a bell that rang too little.
///
/// On the real clock: whoever finds the lock taken waits for the thread that has it, and a paused clock, which knows nothing of other
/// runtimes' threads, would run through all its waits at once and give up.
#[test]
fn nothing_is_lost_when_many_write_to_a_file_of_leases_at_once() {
    const WRITERS: u64 = 4;
    const WRITES: u64 = 25;
    let path = fresh("many");
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .expect("a runtime");
                runtime.block_on(async {
                    let leases = FileLeases::new(path);
                    leases.prepare().await.expect("prepared");
                    leases
                        .meet_stream(&stream("shared:orders"))
                        .await
                        .expect("met");
                    let own = format!("app{writer}:orders");
                    leases.meet_stream(&stream(&own)).await.expect("met");
                    for _ in 0..WRITES {
                        for key in ["shared:orders", &own] {
                            let ring = StreamWrite::Ring { key: key.into() };
                            leases.write_stream(&ring).await.expect("rung");
                        }
                    }
                });
            })
        })
        .collect();
    for writer in writers {
        writer.join().expect("no writer failed");
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let leases = FileLeases::new(&path);
        let bell = async |key: String| {
            let row = leases.stream(&key).await.expect("read");
            row.expect("a row").bell
        };
        assert_eq!(bell("shared:orders".into()).await, WRITERS * WRITES);
        for writer in 0..WRITERS {
            assert_eq!(bell(format!("app{writer}:orders")).await, WRITES);
        }
    });
}

#[tokio::test(start_paused = true)]
async fn a_file_of_something_else_or_of_a_newer_version_is_refused_by_name_and_left_alone() {
    for (name, text, why) in [
        ("else", "{\"orders\": []}", "is no file of leases"),
        (
            "newer",
            "{\"format\": \"kinesis-app leases\", \"version\": 2}",
            "has version 2, and this build knows 1",
        ),
    ] {
        let path = fresh(name);
        fs::write(&path, text).expect("written");
        let leases = FileLeases::new(&path);
        let Err(StoreError::Fatal(error)) = leases.prepare().await else {
            panic!("refused for good");
        };
        let error = error.to_string();
        assert!(
            error.contains(&path.display().to_string()) && error.contains(why),
            "{error}"
        );
        let after = fs::read_to_string(&path).expect("still there");
        assert_eq!(after, text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_of_leases_in_a_folder_that_does_not_exist_is_refused_by_name() {
    let path = fresh("folder").join("leases.json");
    let error = FileLeases::new(&path)
        .prepare()
        .await
        .expect_err("no folder");
    assert!(!error.is_retryable());
    let source = std::error::Error::source(&error)
        .expect("a source")
        .to_string();
    assert!(source.contains("folder.json/leases.json"), "{source}");
}
