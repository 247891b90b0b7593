//! Where the service is, and the table of leases.

use kinesis_app_rules::endpoint::endpoint;
use kinesis_app_rules::env::env_name;
use kinesis_app_rules::region::region;
use kinesis_app_rules::table::lease_table;

use crate::refused;

#[test]
fn regions() {
    for good in [
        "eu-west-1",
        "us-gov-east-1",
        "cn-northwest-1",
        "us-isob-east-1",
        "ap-southeast-12",
    ] {
        assert_eq!(region(good), Ok(good));
    }
    let fixed = "region does not look like an AWS region";
    for (bad, suggestion) in [
        ("eu_west_1", Some("eu-west-1")),
        ("EU-WEST-1", Some("eu-west-1")),
        (" eu west 1", Some("eu-west-1")),
        ("eu-west", None),
        ("eu-1", None),
        ("eu-west-1a", Some("eu-west-1")),
        ("eu--west-1", None),
        ("-west-1", None),
        ("eu-west-", None),
        ("eu", None),
        ("1", None),
        ("eü-west-1", None),
    ] {
        let text = format!("region `{bad}` does not look like an AWS region");
        refused!(region(bad), text, fixed, suggestion);
    }
    let empty = "region is empty; it looks like `eu-west-1`";
    refused!(region(""), empty, empty, None);
}

#[test]
fn endpoints() {
    for good in [
        "http://localhost:4566",
        "https://kinesis.eu-west-1.amazonaws.com",
        "HTTP://127.0.0.1:1/path",
        "http://[::1]:65535",
        "http://[::1]",
        "http://host/",
    ] {
        assert_eq!(endpoint(good), Ok(good));
    }
    let no_scheme = "endpoint has no scheme";
    refused!(
        endpoint("localhost:4566"),
        "endpoint `localhost:4566` has no scheme",
        no_scheme,
        Some("http://localhost:4566")
    );
    refused!(
        endpoint("//host"),
        "endpoint `//host` has no scheme",
        no_scheme,
        Some("http://host")
    );
    refused!(
        endpoint("http:/host"),
        "endpoint `http:/host` has no scheme",
        no_scheme,
        None
    );
    refused!(
        endpoint("ftp://host"),
        "endpoint `ftp://host` has the scheme `ftp`; it is `http` or `https`",
        "endpoint has another scheme than `http` and `https`",
        None
    );
    for bad in [
        "http://",
        "http:///path",
        "http://:80",
        "http://[]",
        "http://[::1",
    ] {
        let text = format!("endpoint `{bad}` has no host");
        refused!(endpoint(bad), text, "endpoint has no host", None);
    }
    for bad in [
        "http://host:",
        "http://host:0",
        "http://host:65536",
        "http://host:x",
        "http://h:1:2",
    ] {
        let text = format!("endpoint `{bad}` has a port that is not 1 to 65535");
        refused!(
            endpoint(bad),
            text,
            "endpoint has a port that is not 1 to 65535",
            None
        );
    }
    let fixed = "endpoint has a character that is not part of a scheme, a host, a port or a path";
    let form = "it has a scheme, a host, and perhaps a port and a path";
    for (bad, what, suggestion) in [
        (" http://host", "a space at byte 0", Some("http://host")),
        ("http://ho st", "a space at byte 9", None),
        ("http://host?x=1", "`?` at byte 11", None),
        ("http://user@host", "`@` at byte 11", None),
        ("http://höst", "`ö` at byte 8", None),
        ("http://[::1]x", "`x` at byte 12", None),
    ] {
        refused!(
            endpoint(bad),
            format!("endpoint `{bad}` has {what}; {form}"),
            fixed,
            suggestion
        );
    }
    let empty = "endpoint is empty; it looks like `http://localhost:4566`";
    refused!(endpoint(""), empty, empty, None);
}

#[test]
fn environment_variables() {
    assert_eq!(env_name("ORDERS_STREAM"), Ok("ORDERS_STREAM"));
    let fault = env_name("A=B").unwrap_err();
    assert_eq!(
        fault.with("A=B").to_string(),
        "`A=B` cannot name an environment variable"
    );
    assert_eq!(
        fault.rule(),
        "a text with `=` or NUL cannot name an environment variable"
    );
    let fault = env_name("A\0").unwrap_err();
    assert_eq!(
        fault.with("A\0").to_string(),
        "`A\\0` cannot name an environment variable"
    );
    let fault = env_name("AWS  REGION").unwrap_err();
    assert_eq!(
        fault.with("AWS  REGION").to_string(),
        "environment variable `AWS  REGION` has a space at byte 3"
    );
    assert_eq!(
        fault.rule(),
        "a text with a space cannot name an environment variable"
    );
    assert_eq!(
        fault.suggestion("AWS  REGION").as_deref(),
        Some("AWS_REGION")
    );
    let fault = env_name("").unwrap_err();
    assert_eq!(
        fault.with("").to_string(),
        "an empty text cannot name an environment variable"
    );
    assert_eq!(
        fault.rule(),
        "an empty text cannot name an environment variable"
    );
}

#[test]
fn lease_tables() {
    let fixed =
        "lease table name has a foreign character; names use letters, digits, `_`, `.` and `-`";
    refused!(
        lease_table("billing leases"),
        "lease table name `billing leases` has a space at byte 7; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("billing-leases")
    );
    refused!(
        lease_table("arn:aws:dynamodb:eu-west-1:123456789012:table/a/index/b"),
        "lease table name `a/index/b` has `/` at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("arn:aws:dynamodb:eu-west-1:123456789012:table/a-index-b")
    );
    refused!(
        lease_table(""),
        "lease table name is empty; DynamoDB names have 3 to 255 characters",
        "lease table name is empty; DynamoDB names have 3 to 255 characters",
        None
    );
    refused!(
        lease_table("ab"),
        "lease table name `ab` has 2 characters; DynamoDB names have 3 to 255",
        "lease table name has fewer than 3 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table("a"),
        "lease table name `a` has 1 character; DynamoDB names have 3 to 255",
        "lease table name has fewer than 3 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table(&"t".repeat(256)),
        "lease table name has 256 characters; DynamoDB names have 3 to 255",
        "lease table name has more than 255 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table("arn:aws:sqs:eu-west-1:123456789012:leases"),
        "lease table ARN `arn:aws:sqs:eu-west-1:123456789012:leases` is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`",
        "lease table ARN is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`",
        None
    );
}
