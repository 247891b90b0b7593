//! Files that are not what they should be are refused by name, and left as they are.

use crate::common::SHARD_0;
use crate::directory::place;
use kinesis_app_emulator::{DataDirectory, Kinesis};
use std::path::{Path, PathBuf};

const FILE: &str = "kinesis.jsonl";

/// A directory with one stream of two records: seven lines.
fn saved(name: &str) -> (DataDirectory, PathBuf) {
    let path = place(name);
    let directory = DataDirectory::open(&path).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    kinesis.create_stream("s", 1).unwrap();
    for data in ["first", "second"] {
        kinesis.put("s", "k", data).unwrap();
    }
    kinesis.save(&directory).unwrap();
    (directory, path.join(FILE))
}

/// What is told when the file is changed like this.
fn told(name: &str, change: impl FnOnce(String) -> Vec<u8>) -> String {
    let (directory, file) = saved(name);
    let changed = change(std::fs::read_to_string(&file).unwrap());
    std::fs::write(&file, &changed).unwrap();
    let refused = Kinesis::builder().load(&directory).unwrap_err();
    assert_eq!(
        std::fs::read(&file).unwrap(),
        changed,
        "the file is left as it is"
    );
    refused.to_string()
}

/// The same lines with the checksum that they have now.
fn vouched(text: &str) -> Vec<u8> {
    use md5::{Digest, Md5};
    let (lines, end) = text.split_at(text.find("{\"end\"").unwrap());
    let (before, _) = end.split_once("\"md5\":\"").unwrap();
    format!("{lines}{before}\"md5\":\"{:x}\"}}}}\n", Md5::digest(lines)).into()
}

fn anew(path: &Path, line: u64, problem: &str) -> String {
    let path = path.display();
    format!("`{path}`, line {line}: {problem}\nhelp: to begin anew, mv '{path}' '{path}.old'")
}

#[tokio::test(start_paused = true)]
async fn each_kind_of_bad_file_is_told_with_its_line_and_the_way_out() {
    let path = place("bad").join(FILE);
    let is = |line, problem: &str, change: fn(String) -> Vec<u8>| {
        assert_eq!(told("bad", change), anew(&path, line, problem));
    };
    let foreign = "it is no file of the streams of kinesis-app-emulator";
    is(1, foreign, |_| Vec::new());
    is(1, foreign, |_| vec![0xff; 100_000]);
    is(1, foreign, |_| b"{\"streams\":[]}\n".to_vec());
    is(1, foreign, |text| {
        text.replace("\"holds\":\"streams\"", "\"holds\":\"tables\"")
            .into()
    });
    let newer = "version `2` of the file is newer than `1`, which this program writes";
    is(1, newer, |text| {
        text.replace("\"version\":1", "\"version\":2").into()
    });
    let cut = "the file was cut: its end is missing";
    is(5, cut, |text| text[..text.find("Zmlyc3Q=").unwrap()].into());
    is(7, cut, |text| text[..text.find("{\"end\"").unwrap()].into());
    is(7, cut, |text| text.trim_end().into());
    is(8, "something follows the end", |text| {
        format!("{text}\n").into()
    });
    let changed = "the lines before are not those that were written";
    is(7, changed, |text| text.replace("\"k\"", "\"j\"").into());
    let lines = "5 lines precede, not the `6` of the end";
    is(6, lines, |text| {
        let second = text.lines().nth(5).unwrap();
        text.replace(&format!("{second}\n"), "").into()
    });
}

#[tokio::test(start_paused = true)]
async fn lines_that_no_emulator_writes_are_refused_where_they_stand() {
    let path = place("bad-lines").join(FILE);
    let is = |line, problem: &str, change: fn(String) -> Vec<u8>| {
        let told = told("bad-lines", change);
        let expected = anew(&path, line, problem);
        assert!(
            told.starts_with(expected.split('\n').next().unwrap()),
            "{told}"
        );
    };
    is(2, "the service is missing", |text| {
        let service = text.lines().nth(1).unwrap();
        text.replace(&format!("{service}\n"), "").into()
    });
    is(2, "expected value", |text| {
        text.replace("{\"service\":", "{\"service\":oops").into()
    });
    is(3, "the service is there twice", |text| {
        let service = text.lines().nth(1).unwrap();
        text.replace("{\"stream\":", &format!("{service}\n{{\"stream\":"))
            .into()
    });
    is(3, "no stream can have this shard", |text| {
        let stream = text.lines().nth(2).unwrap();
        text.replace(&format!("{stream}\n"), "").into()
    });
    is(4, "no shard can have this record", |text| {
        let shard = text.lines().nth(3).unwrap();
        text.replace(&format!("{shard}\n"), "").into()
    });
    is(5, "`data` is no base64", |text| {
        text.replace("Zmlyc3Q=", "?").into()
    });
    // With an end that vouches for it, as nobody but a person could write it.
    let uncovered = "the open shards of stream `s` before it do not cover each hash key once";
    is(7, uncovered, |text| {
        vouched(&text.replace("\"start\":0", "\"start\":1"))
    });
}

#[tokio::test(start_paused = true)]
async fn another_account_is_told_how_to_be_the_same() {
    let (directory, file) = saved("account");
    let refused = Kinesis::builder().region("eu-central-1").load(&directory);
    let told = format!(
        "`{}`, line 2: its streams are of account `000000000000` in `us-east-1`, \
         and these are `000000000000` and `eu-central-1`\n\
         help: --account 000000000000 --region us-east-1",
        file.display()
    );
    assert_eq!(refused.unwrap_err().to_string(), told);
}

#[tokio::test(start_paused = true)]
async fn what_an_interrupted_save_left_behind_is_no_obstacle() {
    let (directory, file) = saved("interrupted");
    std::fs::write(file.with_extension("jsonl.new"), "{\"format\":").unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    assert_eq!(kinesis.records("s", SHARD_0).len(), 2);
    kinesis.save(&directory).unwrap();
    Kinesis::builder().load(&directory).unwrap();
}

/// A save would leave the tables behind, with leases of streams that have moved on.
#[cfg(not(feature = "dynamodb"))]
#[tokio::test(start_paused = true)]
async fn tables_are_not_left_behind_by_an_emulator_that_knows_none() {
    let (directory, file) = saved("tables");
    let tables = file.with_file_name("dynamodb.jsonl");
    std::fs::write(&tables, "").unwrap();
    let refused = Kinesis::builder().load(&directory).unwrap_err();
    let told = format!(
        "`{}`, line 1: it holds tables, and this emulator was built without them\n\
         help: build it with `--features dynamodb`",
        tables.display()
    );
    assert_eq!(refused.to_string(), told);
}
