//! The billing example, in virtual time.

use kinesis_app_emulator::Kinesis;
use kinesis_app_examples::billing;

#[tokio::test(start_paused = true)]
async fn every_order_has_its_receipt_and_every_bad_record_its_dead_letter() {
    let verdict = billing::run(&Kinesis::new()).await.expect("a verdict");
    assert!(verdict.holds(), "{verdict}");
    assert_eq!((verdict.good, verdict.bad), (588, 13));
}
