mod any_tokens;
mod expansion;
mod hints;
mod keys;
mod messages;
mod source;
