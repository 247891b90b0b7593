//! Handlers of whole batches.

mod world;

mod arguments;
mod dead_letters;
mod failure;
mod items;
mod order;
mod shape;
mod stop;
mod undecodable;
