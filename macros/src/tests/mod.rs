mod expansion;
mod hints;
mod keys;
mod messages;
mod mutants;
mod size;
mod source;
