use kinesis_app::prelude::*;
use serde::Deserialize;

/// A type with a keyword for a name.
#[derive(Debug, Deserialize)]
#[allow(non_camel_case_types, reason = "that is what is shown")]
pub struct r#dyn {
    r#type: u8,
}

/// The application.
#[kinesis_app(name = "loop")]
pub mod r#loop {
    #![allow(non_camel_case_types, reason = "that is what is shown")]
    use super::*;

    /// A stream.
    #[derive(Debug)]
    #[stream(name = "moves")]
    pub struct r#Move;

    /// A stream.
    #[derive(Debug)]
    #[stream(name = r#const::r#static, batch_size = r#const::r#mut)]
    pub struct r#where;

    mod r#const {
        #![allow(non_upper_case_globals, reason = "that is what is shown")]
        pub(super) const r#static: &str = "types";
        pub(super) const r#mut: u32 = 5;
    }

    #[derive(AppState)]
    struct r#static {
        r#fn: String,
    }

    #[on_start]
    async fn r#async() -> Result<r#static, std::io::Error> {
        Ok(r#static {
            r#fn: String::new(),
        })
    }

    #[on_record(r#Move)]
    async fn r#move(r#in: r#dyn, State(r#fn): State<String>) -> Outcome {
        if r#in.r#type > 0 && r#fn.is_empty() {
            Outcome::Skip
        } else {
            Outcome::Done
        }
    }

    #[on_record(r#where)]
    async fn r#match(r#dyn { r#type }: r#dyn) -> Outcome {
        if r#type > 0 {
            Outcome::Skip
        } else {
            Outcome::Done
        }
    }
}
