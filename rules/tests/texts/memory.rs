//! Amounts of memory, and the file of leases.

use kinesis_app_rules::bytes::bytes;
use kinesis_app_rules::lease_file::lease_file;
use kinesis_app_rules::prefetch::prefetch_text;

use crate::refused;

#[test]
fn amounts_of_memory() {
    assert_eq!(bytes("64MiB"), Ok(64 << 20));
    assert_eq!(bytes("1GiB"), Ok(1 << 30));
    assert_eq!(bytes("3KiB"), Ok(3 << 10));
    let form = "it is a whole number and `KiB`, `MiB` or `GiB`";
    let other = format!("amount has another unit; {form}");
    for (bad, text, suggestion) in [
        ("256MB", "has `M` at byte 3", Some("256MiB")),
        ("1 gib", "has a space at byte 1", Some("1GiB")),
        ("256", "has no unit", Some("256MiB")),
        ("268435456", "has no unit", Some("256MiB")),
        ("268435457", "has no unit", None),
        ("1.5GiB", "has `.` at byte 1", None),
    ] {
        let text = format!("amount `{bad}` {text}; {form}");
        refused!(bytes(bad), text, other, suggestion);
    }
    refused!(
        bytes(""),
        format!("amount `` does not start with a number; {form}"),
        format!("amount does not start with a number; {form}"),
        None
    );
    refused!(
        bytes("99999999999999999999GiB"),
        "amount `99999999999999999999GiB` is more than this machine can address",
        "amount is more than this machine can address",
        None
    );
    refused!(
        prefetch_text("1KiB"),
        "prefetch is 1024 bytes; every shard may read 1048576",
        "prefetch is below 1 MiB; every shard may read so much",
        Some("1MiB")
    );
    refused!(
        prefetch_text("256mb"),
        format!("amount `256mb` has `m` at byte 3; {form}"),
        other,
        Some("256MiB")
    );
}

#[test]
fn lease_files() {
    assert_eq!(
        lease_file("/var/lib/leases.json"),
        Ok("/var/lib/leases.json")
    );
    let empty = "lease file is empty; it is a path such as `leases.json`";
    refused!(lease_file(""), empty, empty, Some("leases.json"));
    let nul = "lease file has the character NUL, which no path has";
    refused!(lease_file("a\0"), nul, nul, None);
    refused!(
        lease_file("/var/lib/"),
        "lease file `/var/lib/` is a folder; it is a path such as `leases.json`",
        "lease file is a folder; it is a path such as `leases.json`",
        Some("/var/lib/leases.json")
    );
}
