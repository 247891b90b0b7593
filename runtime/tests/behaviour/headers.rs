//! What a handler is given of a record with headers, whoever wrote it.

use std::sync::{Arc, Mutex};

use kinesis_app::{
    Application, PARTITION_KEY_HEADER, SEQUENCE_NUMBER_HEADER, SHARD_ID_HEADER, prelude::*,
};
use serde::Deserialize;
use tokio::time::sleep;

use crate::world::{FIRST, World, secs};

/// Payloads and headers, as handlers were given them.
type Seen = Arc<Mutex<Vec<(Bytes, Headers)>>>;

#[kinesis_app(name = "headers", leases(memory))]
mod raw {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Seen, String> {
        Ok(Seen::default())
    }

    #[on_record(Orders)]
    async fn take(record: RawRecord, headers: Headers, State(seen): State<Seen>) -> Outcome {
        assert_eq!(record.headers, headers);
        seen.lock().unwrap().push((record.data, headers));
        Outcome::Done
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Note<'a> {
    text: &'a str,
}

#[kinesis_app(name = "headers", leases(memory))]
mod json {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Seen, String> {
        Ok(Seen::default())
    }

    #[on_record(Orders)]
    async fn take(note: Note<'_>, headers: Headers, State(seen): State<Seen>) -> Outcome {
        let text = Bytes::copy_from_slice(note.text.as_bytes());
        seen.lock().unwrap().push((text, headers));
        Outcome::Done
    }
}

/// What an application is given of these records, and the sequence number of the first.
async fn given(app: impl Application, blobs: &[&[u8]]) -> (Vec<(Bytes, Headers)>, String) {
    let world = World::new(1);
    let put = |blob: &&[u8]| {
        let stored = world
            .kinesis
            .put("orders", "ada", Bytes::copy_from_slice(blob));
        stored.unwrap().sequence_number
    };
    let sequences: Vec<_> = blobs.iter().map(put).collect();
    let seen = Seen::default();
    let running = world.launch(app).state(Arc::clone(&seen)).start().await;
    sleep(secs(2)).await;
    running.unwrap().shutdown().await.unwrap();
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(seen.len(), blobs.len());
    (seen, sequences[0].clone())
}

/// The headers that a record was published with.
fn own(headers: &Headers) -> Vec<(&str, &[u8])> {
    let native = [
        PARTITION_KEY_HEADER,
        SEQUENCE_NUMBER_HEADER,
        SHARD_ID_HEADER,
    ];
    headers
        .iter()
        .filter(|(name, _)| !native.contains(name))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn key_sequence_number_and_shard_stand_on_every_delivery_whatever_the_record_says() {
    let forged = b"RSK1\0\0\0\x2fpartition-key: forged\nkinesis-shard-id: forged\npayload";
    let (seen, sequence) = given(raw::App, &[&forged[..]]).await;
    let (payload, headers) = &seen[0];
    assert_eq!(payload, "payload");
    assert_eq!(headers.get(PARTITION_KEY_HEADER), Some("ada"));
    assert_eq!(headers.get(SEQUENCE_NUMBER_HEADER), Some(&*sequence));
    assert_eq!(headers.get(SHARD_ID_HEADER), Some(FIRST));
    assert_eq!(headers.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn headers_leave_the_payload_as_it_is() {
    let (seen, _) = given(
        raw::App,
        &[
            b"RSK1\0\0\0\x0ctrace-id: 1\n{\"foo\":1}\n",
            b"RSK2\0\0\0\x0a\0\0\0\x01n\0\0\0\x01\xff\xff\0\xfe",
            b"RSK1\0\0\0\x0ctrace-id: 1\n",
        ],
    )
    .await;
    let expected: [(&[u8], _); 3] = [
        (b"{\"foo\":1}\n", [("trace-id", &b"1"[..])]),
        (b"\xff\0\xfe", [("n", b"\xff")]),
        (b"", [("trace-id", b"1")]),
    ];
    for ((payload, headers), (wanted, wanted_headers)) in seen.iter().zip(expected) {
        assert_eq!(
            (&payload[..], &*own(headers)),
            (wanted, &wanted_headers[..])
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_of_others_is_its_payload_byte_for_byte() {
    let blobs: [&[u8]; 6] = [
        b"{\"trace-id\":\"1\"}",
        b"\xff\0\xfe",
        b"",
        b"RSK3\0\0\0\x0ctrace-id: 1\npayload",
        b"RSK1\0\0\xff\xfftrace-id: 1\n",
        b"RSK2 is how some records begin",
    ];
    let (seen, _) = given(raw::App, &blobs).await;
    for ((payload, headers), blob) in seen.iter().zip(blobs) {
        assert_eq!((&payload[..], own(headers).len()), (blob, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_codec_decodes_the_payload_behind_the_headers() {
    let blob = b"RSK1\0\0\0\x0ctrace-id: 1\n{\"text\":\"hello\"}";
    let (seen, _) = given(json::App, &[&blob[..], b"{\"text\":\"plain\"}"]).await;
    assert_eq!(seen[0].0, "hello");
    assert_eq!(own(&seen[0].1), [("trace-id", &b"1"[..])]);
    assert_eq!((&*seen[1].0, own(&seen[1].1).len()), (&b"plain"[..], 0));
}
