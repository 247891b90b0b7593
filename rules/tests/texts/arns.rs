//! ARNs of streams.

use kinesis_app_rules::arn::{STREAM_ARN_FORM, stream_arn};

use crate::refused;

#[test]
fn arns() {
    let arn = "arn:aws-us-gov:kinesis:us-gov-west-1:123456789012:stream/orders";
    let parts = stream_arn(arn).unwrap();
    assert_eq!(
        (
            parts.text,
            parts.partition,
            parts.region,
            parts.account,
            parts.name
        ),
        (arn, "aws-us-gov", "us-gov-west-1", "123456789012", "orders")
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:12345:stream/views"),
        "account id `12345` in the stream ARN has 5 digits; it has 12",
        "account id in the stream ARN is not of 12 digits",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:1:stream/views"),
        "account id `1` in the stream ARN has 1 digit; it has 12",
        "account id in the stream ARN is not of 12 digits",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:my-account:stream/views"),
        "account id `my-account` in the stream ARN is not a number; it has 12 digits",
        "account id in the stream ARN is not of 12 digits",
        None
    );
}

#[test]
fn arns_of_something_else() {
    refused!(
        stream_arn("arn:aws:sqs:eu-west-1:123456789012:orders"),
        "stream ARN is an ARN of `sqs`, not of `kinesis`",
        "stream ARN is an ARN of another service than `kinesis`",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:orders"),
        "stream ARN names `orders`, not a `stream/<name>`",
        "stream ARN names something else than a stream",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis::123456789012:stream/orders"),
        "stream ARN has no region",
        "stream ARN has no region",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:Europe:123456789012:stream/orders"),
        "region `Europe` in the stream ARN does not look like an AWS region",
        "region in the stream ARN does not look like an AWS region",
        None
    );
    refused!(
        stream_arn(
            "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1700000000"
        ),
        "stream ARN names a fan-out consumer; use its stream's ARN and `fan_out = \"billing\"`",
        "stream ARN names a fan-out consumer; use its stream's ARN",
        Some("arn:aws:kinesis:eu-west-1:123456789012:stream/orders")
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/"),
        "stream name is empty; Kinesis names have 1 to 128 characters",
        "stream name is empty; Kinesis names have 1 to 128 characters",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/a b"),
        "stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`",
        "stream name has a foreign character; names use letters, digits, `_`, `.` and `-`",
        None
    );
    refused!(
        stream_arn("orders"),
        "stream ARN `orders` does not start with `arn:aws`",
        "stream ARN does not start with `arn:aws`",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis"),
        "stream ARN `arn:aws:kinesis` has fewer than six parts",
        "stream ARN has fewer than six parts",
        None
    );
    refused!(
        stream_arn(""),
        "stream ARN is empty",
        "stream ARN is empty",
        None
    );
    refused!(
        stream_arn(&format!("arn:aws:kinesis:{}", "x".repeat(2048 - 15))),
        "stream ARN has 2049 characters; the most is 2048",
        "stream ARN has more than 2048 characters; the most is 2048",
        None
    );
    let example = STREAM_ARN_FORM
        .replace("<region>", "eu-west-1")
        .replace("<account>", "123456789012");
    assert!(stream_arn(&example.replace("<name>", "orders")).is_ok());
}
