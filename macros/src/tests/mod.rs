mod any_tokens;
mod expansion;
mod hints;
mod messages;
mod source;
mod suggest;
