async fn stop_twice(running: kinesis_app::Running) {
    drop(running.shutdown().await);
    drop(running.health());
}

fn main() {}
