//! Counts requests on their way out, below the SDK and the application: what the application costs, by nobody's word but
//! the wire's.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::HttpRequest,
    runtime_components::RuntimeComponents,
};

/// How many `GetRecords` requests were sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Arc<AtomicU64>);

impl Meter {
    pub(crate) fn get_records(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The same client, counted.
    pub(crate) fn around(&self, client: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Metered {
            inner: client,
            meter: self.clone(),
        })
    }
}

#[derive(Debug)]
struct Metered<T> {
    inner: T,
    meter: Meter,
}

impl HttpClient for Metered<SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Metered {
            inner: self.inner.http_connector(settings, components),
            meter: self.meter.clone(),
        })
    }
}

impl HttpConnector for Metered<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target");
        if target.is_some_and(|target| target.ends_with(".GetRecords")) {
            self.meter.0.fetch_add(1, Ordering::Relaxed);
        }
        self.inner.call(request)
    }
}
