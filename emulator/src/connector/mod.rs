//! The HTTP client that the SDK is given: a request's way in, an answer's way out.

mod body;
#[cfg(feature = "dynamodb")]
mod dynamodb;
mod exchange;
mod signature;
mod subscription;
#[cfg(test)]
mod tests;

use crate::hub::Core;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use std::sync::Arc;

/// Serves every request of a client, whatever the host that it is meant for.
#[derive(Clone, Debug)]
pub(crate) struct EmulatorHttpClient {
    pub(crate) core: Arc<Core>,
    pub(crate) link: Arc<str>,
}

impl HttpClient for EmulatorHttpClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(EmulatorConnector {
            client: self.clone(),
            settings: settings.clone(),
        })
    }
}

#[derive(Debug)]
struct EmulatorConnector {
    client: EmulatorHttpClient,
    settings: HttpConnectorSettings,
}

impl HttpConnector for EmulatorConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let EmulatorHttpClient { core, link } = self.client.clone();
        let read_timeout = self.settings.read_timeout();
        HttpConnectorFuture::new(async move {
            let exchange = route(&core, &link, request);
            // Timeouts are a connector's own business: the SDK only hands the settings over.
            match read_timeout {
                Some(limit) => tokio::time::timeout(limit, exchange).await.map_err(|_| {
                    ConnectorError::timeout(
                        format!("no answer within the read timeout of {limit:?}").into(),
                    )
                })?,
                None => exchange.await,
            }
        })
    }
}

/// A request's way to the service that its target names.
pub(crate) async fn route(
    core: &Arc<Core>,
    link: &str,
    request: HttpRequest,
) -> Result<HttpResponse, ConnectorError> {
    #[cfg(feature = "dynamodb")]
    if dynamodb::is_for(&request) {
        return dynamodb::exchange(core, link, request).await;
    }
    exchange::exchange(core, link, request).await
}
