//! Between CBOR and the JSON values that mean the same, with another encoder than the one tested.

use base64_simd::STANDARD;
use minicbor::data::{IanaTag, Type};
use minicbor::{Decoder, Encoder};
use serde_json::{Map, Value};

/// Which of the two forms containers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Definite,
    Indefinite,
}

const BLOBS: [&str; 1] = ["Data"];
const TIMES: [&str; 4] = [
    "ConsumerCreationTimestamp",
    "Timestamp",
    "StreamCreationTimestamp",
    "ApproximateArrivalTimestamp",
];

/// A JSON body as the Java SDK would write it in CBOR.
pub(crate) fn to_cbor(value: &Value, form: Form) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    write(&mut encoder, "", value, form);
    encoder.into_writer()
}

fn write(to: &mut Encoder<Vec<u8>>, name: &str, value: &Value, form: Form) {
    match value {
        Value::Null => drop(to.null().unwrap()),
        Value::Bool(value) => drop(to.bool(*value).unwrap()),
        Value::Number(number) if TIMES.contains(&name) => {
            let millis = (number.as_f64().unwrap() * 1_000.0).round();
            to.tag(IanaTag::Timestamp).unwrap();
            if (0.0..=9e15).contains(&millis) {
                let millis: u64 = format!("{millis}").parse().unwrap();
                to.u64(millis).unwrap();
            } else {
                to.f64(millis).unwrap();
            }
        }
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => drop(to.u64(number).unwrap()),
            (_, Some(number)) => drop(to.i64(number).unwrap()),
            _ => drop(to.f64(number.as_f64().unwrap()).unwrap()),
        },
        Value::String(text) if BLOBS.contains(&name) => match STANDARD.decode_to_vec(text) {
            Ok(bytes) => drop(to.bytes(&bytes).unwrap()),
            Err(_) => drop(to.str(text).unwrap()),
        },
        Value::String(text) => drop(to.str(text).unwrap()),
        Value::Array(items) => {
            match form {
                Form::Definite => drop(to.array(items.len() as u64).unwrap()),
                Form::Indefinite => drop(to.begin_array().unwrap()),
            }
            for item in items {
                write(to, "", item, form);
            }
            if form == Form::Indefinite {
                to.end().unwrap();
            }
        }
        Value::Object(members) => {
            match form {
                Form::Definite => drop(to.map(members.len() as u64).unwrap()),
                Form::Indefinite => drop(to.begin_map().unwrap()),
            }
            for (name, value) in members {
                to.str(name).unwrap();
                write(to, name, value, form);
            }
            if form == Form::Indefinite {
                to.end().unwrap();
            }
        }
    }
}

/// An answer in CBOR as the JSON that means the same.
pub(crate) fn to_json(body: &[u8]) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    let mut decoder = Decoder::new(body);
    let value = read(&mut decoder);
    assert_eq!(decoder.position(), body.len(), "nothing follows");
    value
}

fn read(from: &mut Decoder<'_>) -> Value {
    match from.datatype().unwrap() {
        Type::Bool => from.bool().unwrap().into(),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => from.u64().unwrap().into(),
        Type::String => from.str().unwrap().into(),
        Type::Bytes => STANDARD.encode_to_string(from.bytes().unwrap()).into(),
        Type::Tag => {
            assert_eq!(from.tag().unwrap(), IanaTag::Timestamp.tag());
            let millis: f64 = from.u64().unwrap().to_string().parse().unwrap();
            (millis / 1_000.0).into()
        }
        Type::ArrayIndef => {
            from.array().unwrap();
            let mut items = Vec::new();
            while from.datatype().unwrap() != Type::Break {
                items.push(read(from));
            }
            from.set_position(from.position() + 1);
            items.into()
        }
        Type::MapIndef => {
            from.map().unwrap();
            let mut members = Map::new();
            while from.datatype().unwrap() != Type::Break {
                let name = from.str().unwrap().to_owned();
                let value = read(from);
                assert!(members.insert(name, value).is_none(), "a member comes once");
            }
            from.set_position(from.position() + 1);
            members.into()
        }
        other => panic!("an answer holds no {other}"),
    }
}
