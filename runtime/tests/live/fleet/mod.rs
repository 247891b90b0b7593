//! Instances of one application, each a process of its own, and what is known of them from outside.

mod app;
mod detour;
mod instance;
mod journal;
mod table;
mod verdict;
mod world;

pub(crate) use self::{
    detour::Detour,
    instance::{Instance, Role, Threads},
    journal::Moment,
    world::World,
};
