//! What compiles also starts.

use kinesis_app::Error;
use kinesis_app_ui_tests::other_paths::billing;

#[tokio::test]
async fn a_stream_is_one_stream_by_whatever_path_its_handler_names_it() {
    let error = kinesis_app::start(billing::App)
        .await
        .expect_err("the `#[aws]` hook ends the start");
    assert!(matches!(&error, Error::Hook { hook: "aws", .. }), "{error}");
}
