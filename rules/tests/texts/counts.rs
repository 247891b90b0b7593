//! Whole numbers.

use kinesis_app_rules::concurrency::{InWords, below_total, one_at_a_time};
use kinesis_app_rules::count::Count;

#[test]
fn counts() {
    for (count, refused, text, rule) in [
        (
            Count::BatchSize,
            20_000,
            "batch size is 20000; one GetRecords call returns at most 10000",
            "batch size is above 10000; one GetRecords call returns at most 10000",
        ),
        (
            Count::Concurrency,
            200_000,
            "concurrency is 200000; a shard has at most 100000 records at hand",
            "concurrency is above 100000; a shard has at most 100000 records at hand",
        ),
        (
            Count::Total,
            1 << 32,
            "total is 4294967296; leave it out to set no limit",
            "total is above 4294967295; leave it out to set no limit",
        ),
        (
            Count::MaxRecords,
            200_000,
            "max records is 200000; a shard has at most 100000 records at hand",
            "max records is above 100000; a shard has at most 100000 records at hand",
        ),
        (
            Count::Attempts,
            1 << 32,
            "attempts is 4294967296; `forever` has no end",
            "attempts is above 4294967295; `forever` has no end",
        ),
        (
            Count::Shards,
            u64::from(u32::MAX),
            "shard count is 4294967295; the most the service can express is 2147483647",
            "shard count is above 2147483647; the most the service can express is 2147483647",
        ),
    ] {
        let fault = count.check(refused).unwrap_err();
        assert_eq!((&*fault.to_string(), fault.rule()), (text, rule));
    }
}

#[test]
fn counts_of_nothing() {
    for (count, rule) in [
        (
            Count::BatchSize,
            "batch size is 0; a read asks for 1 to 10000 records",
        ),
        (
            Count::Concurrency,
            "concurrency is 0; 1 handles one record of a shard at a time",
        ),
        (
            Count::Total,
            "total is 0; 1 handles one record of all shards at a time",
        ),
        (
            Count::MaxRecords,
            "max records is 0; a batch has at least 1",
        ),
        (Count::Attempts, "attempts is 0; the first delivery is one"),
        (
            Count::Shards,
            "shard count is 0; a stream has at least 1 shard",
        ),
    ] {
        let fault = count.check(0).unwrap_err();
        assert_eq!((&*fault.to_string(), fault.rule()), (rule, rule));
    }
}

#[test]
fn concurrency_beside_other_settings() {
    assert_eq!(below_total(8, 8), Ok(()));
    let fault = below_total(8, 4).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "the 8 records of one shard are more than the 4 of all shards"
    );
    assert_eq!(
        fault.rule(),
        "the records of one shard are more than those of all shards"
    );
    assert_eq!(one_at_a_time(1), Ok(()));
    let fault = one_at_a_time(8).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "`ordered(shard)` handles one record at a time, `concurrency = 8` eight"
    );
    assert_eq!(
        fault.rule(),
        "`ordered(shard)` handles one record at a time, `concurrency` more"
    );
    let words = [1, 2, 12, 13].map(|number| InWords(number).to_string());
    assert_eq!(words, ["1", "two", "twelve", "13"]);
}
