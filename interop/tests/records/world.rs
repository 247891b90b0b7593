//! The emulator on a port of the loopback interface.

use std::{future::pending, net::Ipv4Addr, time::Duration};

use kinesis_app_emulator::{Kinesis, server::Server};
use tokio::{net::TcpListener, task::JoinHandle};

/// Longer than anything here takes, on a busy machine too.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct World {
    pub(crate) endpoint: String,
    server: JoinHandle<()>,
}

impl World {
    #[expect(
        clippy::disallowed_methods,
        reason = "the emulator's task ends with the test"
    )]
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("the port's address");
        let mut server = Server::new(Kinesis::builder().wall_clock());
        for stream in ["theirs", "ours", "passed-on"] {
            server = server.stream(stream, 1);
        }
        let serve = async move {
            let ended = server.serve(listener, pending()).await;
            ended.expect("the emulator serves");
        };
        Self {
            endpoint: format!("http://{address}"),
            server: tokio::spawn(serve),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.server.abort();
    }
}
