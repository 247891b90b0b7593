//! Names of applications, owners, streams, consumers and handlers.

use kinesis_app_rules::name::{app_name, consumer_name, handler_label, owner_id, stream_name};

use crate::refused;

#[test]
fn names() {
    let fixed = "stream name has a foreign character; names use letters, digits, `_`, `.` and `-`";
    refused!(
        stream_name("orders/eu"),
        "stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("orders-eu")
    );
    refused!(
        stream_name("a b"),
        "stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("a-b")
    );
    refused!(
        stream_name("käse\tbrot"),
        "stream name `käse\tbrot` has `ä` at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("k-se-brot")
    );
    refused!(
        stream_name("注文"),
        "stream name `注文` has `注` at byte 0; names use letters, digits, `_`, `.` and `-`",
        fixed,
        None
    );
    refused!(
        app_name("billing service"),
        "app name `billing service` has a space at byte 7; names use letters, digits, `_`, `.` and `-`",
        "app name has a foreign character; names use letters, digits, `_`, `.` and `-`",
        Some("billing-service")
    );
    refused!(
        app_name(""),
        "app name is empty; names have 1 to 128 characters",
        "app name is empty; names have 1 to 128 characters",
        None
    );
    refused!(
        app_name(&"n".repeat(129)),
        "app name has 129 characters; the most is 128",
        "app name has more than 128 characters; the most is 128",
        None
    );
    refused!(
        stream_name(""),
        "stream name is empty; Kinesis names have 1 to 128 characters",
        "stream name is empty; Kinesis names have 1 to 128 characters",
        None
    );
    refused!(
        stream_name(&"n".repeat(129)),
        "stream name has 129 characters; the most is 128",
        "stream name has more than 128 characters; the most is 128",
        None
    );
    refused!(
        stream_name("arn:aws:kinesis:eu-west-1:123456789012:stream/orders"),
        "stream name `arn:aws:kinesis:eu-west-1:123456789012:stream/orders` is an ARN; `arn` takes it",
        "stream name is an ARN; `arn` takes it",
        None
    );
}

#[test]
fn consumers() {
    let arn = "`fan_out` takes the consumer's name, not its ARN";
    refused!(
        consumer_name("arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1"),
        arn,
        arn,
        Some("billing")
    );
    for nameless in [
        "arn:x",
        "arn:aws:kinesis:eu-west-1:123456789012:stream/orders",
        "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/:1",
        "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/a b:1",
    ] {
        refused!(consumer_name(nameless), arn, arn, None);
    }
    refused!(
        consumer_name("billing/eu"),
        "consumer name `billing/eu` has `/` at byte 7; names use letters, digits, `_`, `.` and `-`",
        "consumer name has a foreign character; names use letters, digits, `_`, `.` and `-`",
        Some("billing-eu")
    );
    refused!(
        consumer_name(""),
        "consumer name is empty; Kinesis names have 1 to 128 characters",
        "consumer name is empty; Kinesis names have 1 to 128 characters",
        None
    );
    refused!(
        consumer_name(&"c".repeat(129)),
        "consumer name has 129 characters; the most is 128",
        "consumer name has more than 128 characters; the most is 128",
        None
    );
}

#[test]
fn owner_ids() {
    let fixed = "owner id has a foreign character; ids use letters, digits, `_`, `.` and `-`";
    refused!(
        owner_id("billing 0"),
        "owner id `billing 0` has a space at byte 7; ids use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("billing-0")
    );
    refused!(
        owner_id("arn:task/1"),
        "owner id `arn:task/1` has `:` at byte 3; ids use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("arn-task-1")
    );
    refused!(
        owner_id(""),
        "owner id is empty; ids have 1 to 128 characters",
        "owner id is empty; ids have 1 to 128 characters",
        None
    );
    refused!(
        owner_id(&"n".repeat(129)),
        "owner id has 129 characters; the most is 128",
        "owner id has more than 128 characters; the most is 128",
        None
    );
}

#[test]
fn labels_of_handlers() {
    refused!(
        handler_label("book orders"),
        "handler label `book orders` has a space at byte 4; labels use letters, digits, `_`, `.` and `-`",
        "handler label has a foreign character; labels use letters, digits, `_`, `.` and `-`",
        Some("book-orders")
    );
    refused!(
        handler_label(""),
        "handler label is empty; labels have 1 to 128 characters",
        "handler label is empty; labels have 1 to 128 characters",
        None
    );
}
