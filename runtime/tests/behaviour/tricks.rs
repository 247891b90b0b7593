//! A service that answers what no healthy one does: an HTTP client between the SDK and the emulator.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use kinesis_app::SdkConfig;
use kinesis_app_emulator::Kinesis;

/// What is done to answers.
#[derive(Debug, Default)]
pub(crate) struct Tricks {
    stale: AtomicBool,
    no_lag: AtomicBool,
    listing: Mutex<Option<Vec<u8>>>,
    instead: Mutex<VecDeque<Instead>>,
    panics: Mutex<Option<&'static str>>,
    reached: Mutex<BTreeSet<(String, String)>>,
}

#[derive(Debug, Clone, Copy)]
struct Instead {
    operation: &'static str,
    status: u16,
    body: &'static str,
}

impl Tricks {
    /// A configuration for the emulator behind these tricks.
    pub(crate) fn new(kinesis: &Kinesis) -> (SdkConfig, Arc<Self>) {
        let config = kinesis.sdk_config();
        let tricks = Arc::new(Self::default());
        let inner = config.http_client().expect("the emulator is one");
        let client = Tricky {
            inner,
            tricks: Arc::clone(&tricks),
        };
        (config.into_builder().http_client(client).build(), tricks)
    }

    /// From now on ListShards answers what it answered last, or not any more.
    pub(crate) fn stale_listing(&self, stale: bool) {
        self.stale.store(stale, Ordering::SeqCst);
    }

    /// From now on GetRecords does not say how far behind the tip it was.
    pub(crate) fn say_no_lag(&self) {
        self.no_lag.store(true, Ordering::SeqCst);
    }

    /// The next answers to `operation` are these.
    pub(crate) fn answer(
        &self,
        operation: &'static str,
        status: u16,
        body: &'static str,
        times: usize,
    ) {
        let answers = std::iter::repeat_n(
            Instead {
                operation,
                status,
                body,
            },
            times,
        );
        self.instead
            .lock()
            .expect("no test panics with it")
            .extend(answers);
    }

    /// Whoever makes the next call of `operation` panics.
    pub(crate) fn panic_at(&self, operation: &'static str) {
        *self.panics.lock().expect("no test panics with it") = Some(operation);
    }

    fn panics(&self, operation: &str) -> bool {
        let mut panics = self.panics.lock().expect("no test panics with it");
        panics.take_if(|next| *next == operation).is_some()
    }

    /// The addresses that operations were sent to, by operation.
    #[cfg(feature = "dynamodb")]
    pub(crate) fn reached(&self, operation: &str) -> Vec<String> {
        let reached = self.reached.lock().expect("no test panics with it");
        let of_it = reached.iter().filter(|(sent, _)| sent == operation);
        of_it.map(|(_, address)| address.clone()).collect()
    }

    fn instead_of(&self, operation: &str) -> Option<Instead> {
        let mut instead = self.instead.lock().expect("no test panics with it");
        instead.pop_front_if(|next| next.operation == operation)
    }

    fn listing(&self, fresh: Vec<u8>) -> Vec<u8> {
        let mut listing = self.listing.lock().expect("no test panics with it");
        if self.stale.load(Ordering::SeqCst) {
            return listing.clone().unwrap_or(fresh);
        }
        *listing = Some(fresh.clone());
        fresh
    }

    fn page(&self, fresh: Vec<u8>) -> Vec<u8> {
        if !self.no_lag.load(Ordering::SeqCst) {
            return fresh;
        }
        let mut page: serde_json::Value = serde_json::from_slice(&fresh).expect("JSON");
        if let Some(members) = page.as_object_mut() {
            members.remove("MillisBehindLatest");
        }
        page.to_string().into_bytes()
    }
}

async fn collected(body: SdkBody) -> Vec<u8> {
    let whole = ByteStream::new(body).collect().await;
    whole.expect("a whole body").to_vec()
}

#[derive(Debug, Clone)]
struct Tricky {
    inner: SharedHttpClient,
    tricks: Arc<Tricks>,
}

impl HttpClient for Tricky {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(Connector {
            inner,
            tricks: Arc::clone(&self.tricks),
        })
    }
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    tricks: Arc<Tricks>,
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let tricks = Arc::clone(&self.tricks);
        let address = request.uri().trim_end_matches('/').to_owned();
        tricks
            .reached
            .lock()
            .expect("no test panics with it")
            .insert((operation.clone(), address));
        let inner = self.inner.call(request);
        HttpConnectorFuture::new(async move {
            assert!(!tricks.panics(&operation), "planned");
            let mut response = inner.await?;
            if let Some(Instead { status, body, .. }) = tricks.instead_of(&operation) {
                return Ok(HttpResponse::new(
                    status.try_into().expect("a status"),
                    SdkBody::from(body),
                ));
            }
            if operation == "ListShards" || operation == "GetRecords" {
                let body = std::mem::replace(response.body_mut(), SdkBody::taken());
                let body = collected(body).await;
                let body = if operation == "ListShards" {
                    tricks.listing(body)
                } else {
                    tricks.page(body)
                };
                response.headers_mut().remove("content-length");
                *response.body_mut() = SdkBody::from(body);
            }
            Ok(response)
        })
    }
}
