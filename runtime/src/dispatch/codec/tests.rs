use std::{fmt::Debug, time::Duration};

use aws_sdk_kinesis::{primitives::Blob, types::Record};
use serde::{Deserialize, Serialize};

use super::*;
use crate::{record::page::Page, source::budget::Held};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Order {
    id: u64,
    customer: String,
    weights: Vec<f64>,
}

fn order() -> Order {
    Order {
        id: u64::MAX,
        customer: "ada".into(),
        weights: vec![0.1, -2.5],
    }
}

fn page(data: &[u8]) -> Page {
    let record = Record::builder()
        .sequence_number("49")
        .data(Blob::new(data))
        .partition_key("ada")
        .build()
        .expect("all required members are set");
    Page::new(vec![record], Duration::ZERO, Held::nothing())
}

fn decode<C, T: for<'r> Payload<'r, C>>(data: &[u8]) -> Result<T, Undecodable> {
    T::decode(RecordRef::new(&page(data), 0, "shardId-000000000000"))
}

/// What is encoded comes back; with a byte more, or one less, it does not.
fn comes_back<C, T>(value: &T)
where
    T: Clone + Debug + PartialEq + Encode<C> + for<'r> Payload<'r, C>,
{
    let encoded = value.clone().encode().expect("it can be encoded");
    assert_eq!(decode::<C, T>(&encoded).as_ref().ok(), Some(value));
    let longer = [&encoded[..], b"}"].concat();
    for wrong in [&longer, &encoded[..encoded.len() - 1]] {
        assert!(decode::<C, T>(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn every_codec_gives_back_what_it_was_given_and_refuses_the_rest() {
    comes_back::<Json, _>(&order());
    #[cfg(feature = "messagepack")]
    comes_back::<MessagePack, _>(&order());
    #[cfg(feature = "cbor")]
    comes_back::<Cbor, _>(&order());
}

#[cfg(feature = "messagepack")]
#[test]
fn messagepack_names_its_fields() {
    #[derive(Serialize)]
    struct Note {
        text: &'static str,
    }
    let encoded = Encode::<MessagePack>::encode(Note { text: "hello" }).unwrap();
    assert_eq!(&encoded[..], b"\x81\xa4text\xa5hello");
}

#[cfg(feature = "prost")]
#[test]
fn protocol_buffers_come_back_and_share_the_page() {
    #[derive(Clone, PartialEq, ::prost::Message)]
    struct View {
        #[prost(string, tag = "1")]
        url: String,
        #[prost(bytes = "bytes", tag = "2")]
        body: Bytes,
    }
    let view = View {
        url: "https://example.org".into(),
        body: Bytes::from_static(b"body"),
    };
    let encoded = Encode::<Prost>::encode(view.clone()).unwrap();
    let page = page(&encoded);
    let record = RecordRef::new(&page, 0, "shardId-000000000000");
    let decoded = <View as Payload<'_, Prost>>::decode(record).unwrap();
    assert_eq!(decoded, view);
    assert!(
        record
            .data()
            .as_ptr_range()
            .contains(&decoded.body.as_ptr())
    );
    assert!(decode::<Prost, View>(b"\x0a\xff").is_err());
}

/// A codec of nobody's.
struct Own;

#[test]
fn a_raw_payload_is_what_it_is_and_a_raw_record_goes_with_every_codec() {
    let bytes = Bytes::from_static(b"\xff\0");
    assert_eq!(Encode::<Raw>::encode(bytes.clone()).unwrap(), bytes);
    assert_eq!(decode::<Raw, Bytes>(&bytes).unwrap(), bytes);
    let record = decode::<Own, RawRecord>(&bytes).unwrap();
    assert_eq!(record.data, bytes);
    assert_eq!(decode::<Json, RawRecord>(&bytes).unwrap(), record);
}
