//! Handlers stay the functions that were written: a test calls one without a runtime.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use kinesis_app_ui_tests::smallest::{Order, billing};

#[test]
fn a_handler_is_called_like_any_function() {
    let mut future = pin!(billing::book(Order { id: 7 }));
    let Poll::Ready(outcome) = future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    else {
        panic!("nothing to wait for");
    };
    assert!(matches!(outcome, kinesis_app::Outcome::Done));
}

#[test]
fn a_label_is_the_name_without_its_prefix() {
    use kinesis_app::{Application, Stream};
    use kinesis_app_ui_tests::raw_identifiers::r#loop;
    assert_eq!(<r#loop::r#Move as Stream>::SPEC.label, "Move");
    assert_eq!(<r#loop::r#where as Stream>::SPEC.label, "where");
    assert_eq!(
        r#loop::App::SPEC.name,
        kinesis_app::spec::Setting::Fixed("loop")
    );
}
