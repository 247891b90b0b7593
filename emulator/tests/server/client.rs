//! A served emulator, and HTTP clients of it.

use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::rt::TokioExecutor;
use kinesis_app_emulator::server::{ServeError, Server};
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

pub(crate) type Hyper = Client<TcpConnector, SdkBody>;

/// A server that runs beside the test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinSet<Result<(), ServeError>>,
}

impl Served {
    pub(crate) async fn start(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let mut serving = JoinSet::new();
        serving.spawn(server.serve(listener, async {
            let _ = stopped.await;
        }));
        Self {
            address,
            stop,
            serving,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) async fn stop(mut self) {
        self.stop.send(()).unwrap();
        let ended = self.serving.join_next().await.unwrap();
        ended.unwrap().unwrap();
    }
}

/// What a connection begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Version {
    Http1,
    Http2,
}

pub(crate) fn hyper(version: Version) -> Hyper {
    let mut client = Client::builder(TokioExecutor::new());
    match version {
        Version::Http1 => client.build_http(),
        Version::Http2 => client.http2_only(true).build_http(),
    }
}

#[derive(Debug)]
struct Connector(Hyper);

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let client = self.0.clone();
        HttpConnectorFuture::new(async move {
            let other = |error| ConnectorError::other(error, None);
            let request = request
                .try_into_http1x()
                .map_err(|error| other(error.into()))?;
            let answer = client.request(request).await;
            let answer = answer.map_err(|error| ConnectorError::io(error.into()))?;
            let answer = answer.map(SdkBody::from_body_1_x);
            HttpResponse::try_from(answer).map_err(|error| other(error.into()))
        })
    }
}

/// The HTTP client of an unmodified SDK client.
pub(crate) fn sdk_http(version: Version) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(Connector(hyper(version)));
    http_client_fn(move |_, _| connector.clone())
}
