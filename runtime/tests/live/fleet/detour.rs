//! A way to a service on which requests can be kept back: what was sent arrives later, whatever its sender has become.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// A port of this machine whose connections lead to the service.
#[derive(Debug)]
pub(crate) struct Detour {
    pub(crate) endpoint: String,
    gate: Arc<Gate>,
}

#[derive(Debug, Default)]
struct Gate {
    state: Mutex<State>,
    opened: Condvar,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    /// What was sent while it was closed.
    late: Vec<u8>,
    /// What the service answered to that, and after it on the same connections.
    answers: Vec<u8>,
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the bytes had to wait here.
    fn pass(&self, bytes: &[u8]) -> bool {
        let mut state = self.state();
        let waits = state.closed;
        if waits {
            state.late.extend(bytes);
        }
        let state = self.opened.wait_while(state, |state| state.closed);
        drop(state);
        waits
    }
}

impl Detour {
    pub(crate) fn to(endpoint: &str) -> Self {
        let service = endpoint.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let here = listener.local_addr().expect("it is bound");
        let gate = Arc::new(Gate::default());
        let shared = Arc::clone(&gate);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, service) = (client.expect("a client"), service.clone());
                let gate = Arc::clone(&shared);
                thread::spawn(move || carry(client, &service, &gate));
            }
        });
        Self {
            endpoint: format!("http://{here}"),
            gate,
        }
    }

    pub(crate) fn close(&self) {
        self.gate.state().closed = true;
    }

    pub(crate) fn open(&self) {
        self.gate.state().closed = false;
        self.gate.opened.notify_all();
    }

    /// What was sent while it was closed.
    pub(crate) fn late(&self) -> String {
        String::from_utf8_lossy(&self.gate.state().late).into_owned()
    }

    /// What the service answered to that.
    pub(crate) fn answers(&self) -> String {
        String::from_utf8_lossy(&self.gate.state().answers).into_owned()
    }
}

/// Carries requests until the client has no more. One that gave up is no reason to take back what it sent.
fn carry(mut client: TcpStream, service: &str, gate: &Arc<Gate>) {
    let mut onward = connect(service, &client, None);
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        let bytes = &buffer[..read];
        if gate.pass(bytes) {
            // The service may have closed a connection that was idle for so long.
            onward = connect(service, &client, Some(Arc::clone(gate)));
        }
        if onward.write_all(bytes).is_err() {
            return;
        }
    }
}

/// A connection whose answers go to the client, and are noted at the gate if they are late.
fn connect(service: &str, client: &TcpStream, late: Option<Arc<Gate>>) -> TcpStream {
    let service = TcpStream::connect(service).expect("the service is there");
    let (mut answers, mut client) = (copy(&service), copy(client));
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = answers.read(&mut buffer) {
            if let Some(gate) = &late {
                gate.state().answers.extend(&buffer[..read]);
            }
            // It may be gone, and the answer is wanted all the same.
            let _ = client.write_all(&buffer[..read]);
        }
        let _ = client.shutdown(Shutdown::Both);
    });
    service
}

fn copy(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a descriptor is free")
}
