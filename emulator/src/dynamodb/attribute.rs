//! Rows as the SDK's clients see them.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) fn attributes(row: &Map<String, Value>) -> BTreeMap<String, AttributeValue> {
    let attributes = row.iter();
    attributes
        .map(|(name, value)| (name.clone(), attribute(value)))
        .collect()
}

fn attribute(typed: &Value) -> AttributeValue {
    let typed = typed.as_object().and_then(|typed| typed.iter().next());
    let (kind, value) = typed.expect("the engine writes every value as one member, its type");
    match kind.as_str() {
        "S" => AttributeValue::S(text(value)),
        "N" => AttributeValue::N(text(value)),
        "B" => AttributeValue::B(blob(value)),
        "BOOL" => AttributeValue::Bool(value.as_bool().unwrap_or_default()),
        "NULL" => AttributeValue::Null(true),
        "L" => AttributeValue::L(list(value, attribute)),
        "SS" => AttributeValue::Ss(list(value, text)),
        "NS" => AttributeValue::Ns(list(value, text)),
        "BS" => AttributeValue::Bs(list(value, blob)),
        "M" => {
            let members = value.as_object().into_iter().flatten();
            let members = members.map(|(name, value)| (name.clone(), attribute(value)));
            AttributeValue::M(members.collect())
        }
        kind => unreachable!("`{kind}` is no type of DynamoDB"),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn blob(value: &Value) -> Blob {
    let decoded = base64_simd::STANDARD.decode_to_vec(text(value));
    Blob::new(decoded.expect("the engine writes bytes as base64"))
}

fn list<T>(value: &Value, element: impl Fn(&Value) -> T) -> Vec<T> {
    let elements = value.as_array().into_iter().flatten();
    elements.map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_type_of_value_is_shown() {
        let row = json!({
            "s": { "S": "a" }, "n": { "N": "1" }, "b": { "B": "AQI=" }, "t": { "BOOL": true },
            "z": { "NULL": true }, "l": { "L": [{ "S": "a" }] }, "m": { "M": { "k": { "N": "2" } } },
            "ss": { "SS": ["a"] }, "ns": { "NS": ["1"] }, "bs": { "BS": ["AQI="] },
        });
        let bytes = || Blob::new([1, 2]);
        let member = ("k".to_owned(), AttributeValue::N("2".into()));
        let expected = [
            ("b", AttributeValue::B(bytes())),
            ("bs", AttributeValue::Bs(vec![bytes()])),
            ("l", AttributeValue::L(vec![AttributeValue::S("a".into())])),
            ("m", AttributeValue::M([member].into())),
            ("n", AttributeValue::N("1".into())),
            ("ns", AttributeValue::Ns(vec!["1".into()])),
            ("s", AttributeValue::S("a".into())),
            ("ss", AttributeValue::Ss(vec!["a".into()])),
            ("t", AttributeValue::Bool(true)),
            ("z", AttributeValue::Null(true)),
        ];
        let shown: Vec<_> = attributes(row.as_object().unwrap()).into_iter().collect();
        let expected: Vec<_> = expected
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        assert_eq!(shown, expected);
    }
}
