use proptest::prelude::*;

use super::*;

fn headers(pairs: &[(&str, &[u8])]) -> Headers {
    pairs.iter().copied().collect()
}

fn opened(data: &[u8]) -> (Headers, &[u8]) {
    let (block, start) = open(data);
    (block.entries().collect(), &data[start..])
}

#[test]
fn a_payload_without_headers_is_the_record() {
    let payload = Bytes::from_static(b"{\"id\":1}\n");
    let sealed = seal(&Headers::new(), payload.clone());
    assert_eq!(sealed.as_ptr(), payload.as_ptr(), "not even copied");
    assert_eq!(opened(&sealed), (Headers::new(), &payload[..]));
}

#[test]
fn headers_are_lines_where_lines_can_carry_them() {
    let sealed = seal(
        &headers(&[("trace-id", b"4bf92f"), ("empty", b"")]),
        Bytes::from_static(b"payload"),
    );
    assert_eq!(
        &sealed[..],
        b"RSK1\x00\x00\x00\x19trace-id: 4bf92f\nempty: \npayload"
    );
}

#[test]
fn headers_are_fields_where_a_line_would_change_them() {
    let sealed = seal(&headers(&[("n", b"\xff")]), Bytes::from_static(b"payload"));
    assert_eq!(
        &sealed[..],
        b"RSK2\x00\x00\x00\x0a\x00\x00\x00\x01n\x00\x00\x00\x01\xffpayload"
    );
    for (name, value) in [
        ("n", &b"two\nlines"[..]),
        ("n", b"carriage\rreturn"),
        ("n", b" edge"),
        ("n", b"edge\t"),
        ("n", "edge\u{a0}".as_bytes()),
        ("na:me", b"v"),
        (" name", b"v"),
    ] {
        let one = headers(&[(name, value)]);
        let sealed = seal(&one, Bytes::new());
        assert_eq!(&sealed[..4], b"RSK2", "{name:?} {value:?}");
        assert_eq!(opened(&sealed), (one, &b""[..]));
    }
}

#[test]
fn what_every_delivery_says_never_enters() {
    let payload = Bytes::from_static(b"payload");
    let native = headers(&[
        (PARTITION_KEY_HEADER, b"ada"),
        (SEQUENCE_NUMBER_HEADER, b"49"),
        (SHARD_ID_HEADER, b"shardId-000000000000"),
    ]);
    assert_eq!(seal(&native, payload.clone()), payload);
    let mut more = native;
    more.insert("trace-id", "1");
    let sealed = seal(&more, payload);
    assert_eq!(opened(&sealed).0, headers(&[("trace-id", b"1")]));
}

#[test]
fn a_payload_that_begins_like_an_envelope_gets_an_empty_one() {
    let own = seal(&headers(&[("n", b"v")]), Bytes::from_static(b"x"));
    for payload in [&b"RSK1"[..], b"RSK2 and more", &own] {
        let sealed = seal(&Headers::new(), Bytes::copy_from_slice(payload));
        assert_eq!(&sealed[4..8], [0; 4]);
        assert_eq!(opened(&sealed), (Headers::new(), payload));
    }
}

#[test]
fn what_is_not_a_whole_envelope_is_a_payload() {
    for data in [
        &b""[..],
        b"RSK",
        b"RSK1",
        b"RSK1\x00\x00\x00",
        b"RSK1\x00\x00\x00\x05a: b",
        b"RSK1\x00\x00\x00\x07no name",
        b"RSK1\x00\x00\x00\x04\xff: b",
        b"RSK2\x00\x00\x00\x03\x00\x00\x00payload",
        b"RSK2\x00\x00\x00\x09\x00\x00\x00\x01n\x00\x00\x00\x01v",
        b"RSK2\x00\x00\x00\x0a\x00\x00\x00\x01\xff\x00\x00\x00\x01v",
        b"RSK3\x00\x00\x00\x05a: b\n",
        b"RSK2\xff\xff\xff\xffpayload",
    ] {
        assert_eq!(opened(data), (Headers::new(), data), "{data:?}");
    }
}

#[test]
fn lines_of_other_writers_are_read() {
    let block = b"No-Space:1\r\n\tTabs\t: \t2 \nlast: a: b";
    let length = u8::try_from(block.len()).unwrap();
    let data = [b"RSK1\x00\x00\x00", &[length][..], block, b"payload"].concat();
    let wanted = headers(&[("no-space", b"1"), ("tabs", b"2"), ("last", b"a: b")]);
    assert_eq!(opened(&data), (wanted, &b"payload"[..]));
}

#[test]
fn the_last_of_two_of_a_name_stands() {
    for data in [
        &b"RSK1\x00\x00\x00\x0aa: 1\nA: 2\npayload"[..],
        b"RSK2\x00\x00\x00\x14\x00\x00\x00\x01a\x00\x00\x00\x011\x00\x00\x00\x01A\x00\x00\x00\x012payload",
    ] {
        assert_eq!(opened(data), (headers(&[("a", b"2")]), &b"payload"[..]));
    }
}

proptest! {
    #[test]
    fn what_is_sealed_is_opened_byte_for_byte(
        pairs in prop::collection::vec(
            (prop_oneof!["[a-z-]{1,8}", "[ -~\\n\\r]{1,8}"], prop_oneof![
                "[ a-z:\\n\\r]{0,8}".prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 0..8),
            ]),
            0..4,
        ),
        magic in prop_oneof![Just(&b""[..]), Just(&LINES[..]), Just(&FIELDS[..])],
        tail in prop::collection::vec(any::<u8>(), 0..32),
    ) {
        let headers: Headers = pairs.into_iter().collect();
        let payload = [magic, &tail].concat();
        let sealed = seal(&headers, payload.clone().into());
        prop_assert_eq!(opened(&sealed), (headers, &payload[..]));
    }

    #[test]
    fn no_bytes_are_too_strange(
        magic in prop_oneof![Just(LINES), Just(FIELDS)],
        length in 0_u32..40,
        tail in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let data = [&magic[..], &length.to_be_bytes(), &tail].concat();
        let (headers, payload) = opened(&data);
        prop_assert!(data.ends_with(payload));
        prop_assert!(payload.len() == data.len() || payload.len() + 8 + length as usize == data.len());
        prop_assert!(payload.len() < data.len() || headers.is_empty());
    }
}
