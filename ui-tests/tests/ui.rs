//! Modules that do not compile, in the words that a user reads.

#[test]
fn every_mistake_is_reported_in_these_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*/*.rs");
    cases.compile_fail("fail_rustc/*.rs");
    if cfg!(not(feature = "dynamodb")) {
        cases.compile_fail("fail_features/*.rs");
    }
}
