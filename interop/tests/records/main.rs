//! What one system publishes the other reads: the same payloads, headers and keys, in the same order.

mod ours;
mod samples;
mod theirs;
mod world;

use samples::{Sample, by_both, by_us_alone};
use world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_they_publish_we_read() {
    let world = World::start().await;
    let theirs = theirs::connect(&world.endpoint).await;
    let samples = by_both();
    for sample in &samples {
        theirs::publish(&theirs, "theirs", sample).await;
    }
    let mut ours = ours::start(&world.endpoint).await;
    assert_eq!(ours.read(samples.len()).await, samples);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_we_publish_they_read() {
    let world = World::start().await;
    let theirs = theirs::connect(&world.endpoint).await;
    let ours = ours::start(&world.endpoint).await;
    let samples: Vec<_> = by_both().into_iter().chain(by_us_alone()).collect();
    for sample in &samples {
        ours.publish(sample).await;
    }
    assert_eq!(theirs::read(&theirs, "ours", samples.len()).await, samples);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_we_pass_on_they_read_as_they_published_it() {
    let world = World::start().await;
    let theirs = theirs::connect(&world.endpoint).await;
    let _ours = ours::start(&world.endpoint).await;
    let samples = by_both();
    for sample in &samples {
        theirs::publish(&theirs, "theirs", sample).await;
    }
    let passed_on: Vec<Sample> = theirs::read(&theirs, "passed-on", samples.len()).await;
    assert_eq!(passed_on, samples);
}
