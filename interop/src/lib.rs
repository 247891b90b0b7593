//! Records between `kinesis-app` and `ruststream-kinesis`, both ways, over the emulator's port: see `tests/`.
