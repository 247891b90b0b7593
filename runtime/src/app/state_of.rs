//! The application's state, from what `#[on_start]` returns, whatever that is: what is no result is one error, at the hook, and none
//! wherever the state is named.

use std::marker::PhantomData;

/// Asks whether a type is a `Result`: `Returned::<T>::IS_RESULT` with [`NoResult`] in scope, for a type's own constant goes before a
/// trait's.
#[derive(Debug)]
pub struct Returned<T>(PhantomData<T>);

impl<S, E> Returned<Result<S, E>> {
    /// It is one, also under another name.
    pub const IS_RESULT: bool = true;
}

/// The answer for every type that has none of its own.
pub trait NoResult {
    /// It is none.
    const IS_RESULT: bool = false;
}

impl<T> NoResult for Returned<T> {}

/// By whether a type is a result.
#[derive(Debug)]
pub struct By<const RESULT: bool>;

/// The state in a `T`.
pub trait StateIn<T> {
    /// What a result holds, or all of it.
    type State;
}

impl<S, E> StateIn<Result<S, E>> for By<true> {
    type State = S;
}

impl<T> StateIn<T> for By<false> {
    type State = T;
}

/// The state in a `T`, which is a result or not.
pub type StateOf<T, const RESULT: bool> = <By<RESULT> as StateIn<T>>::State;
