mod expansion;
mod hints;
mod keys;
mod messages;
mod mutants;
mod source;
