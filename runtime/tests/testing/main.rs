//! What `TestApp` promises to those who test their applications with it.

mod billing;

mod clock;
mod instances;
mod records;
mod reshard;
mod seek;
mod settings;
mod settled;
mod speed;
