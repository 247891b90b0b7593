//! `on_fatal(..)`: what a refusal that no retry heals does to the run, to health, and to the other streams.

mod world;

mod gone;
mod keys_and_tables;
mod marked;
mod starts;
