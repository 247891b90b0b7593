//! What the command line says.

use std::ffi::OsString;

use lexopt::Arg;

use super::{job::Plan, plant::Plant, target::Target};

const RATE: u64 = 3000;
const RATE_MOST: u64 = 10_000;
const RECORDS_MOST: u64 = 1_000_000;
/// With starting, resuming and reading again, such a run takes about 20 seconds.
const SECONDS: u64 = 15;

/// The text of `--help`.
pub const HELP: &str = "\
Consumes two streams that are split and merged meanwhile, and checks that no record is lost or out of order.

Usage: cargo run -- [OPTIONS]

Options:
  --rate N         records put a second, 1 to 10000 (default 3000)
  --records N      stop after so many records, 1 to 1000000 (default 15 seconds' worth)
  --endpoint URL   use the Kinesis at this endpoint, with test credentials, instead of the embedded one
  --aws            use AWS, with the credentials and the region of the SDK's chain; needs `--features tls`;
                   creates two streams and deletes them at the end
  --plant FAULT    plant a fault in the application, to see that it is found: drop, reorder or skip
  --help           print this

Exit code: 0 if every record was handled, in order per key; 1 if not; 2 for options that make no sense.
";

const KNOWN: &str = "`--rate`, `--records`, `--endpoint`, `--aws`, `--plant`, `--help`";

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// A run.
    Run(Plan),
    /// [`HELP`].
    Help,
}

/// An option that makes no sense, and what to write instead.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}\nhelp: {help}")]
pub struct OptionError {
    text: String,
    help: String,
}

fn wrong(text: impl Into<String>, help: impl Into<String>) -> OptionError {
    OptionError {
        text: text.into(),
        help: help.into(),
    }
}

/// Reads the arguments behind the program's name.
///
/// # Errors
///
/// The first option that makes no sense, with its value and what to write instead.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, OptionError> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let (mut rate, mut records, mut endpoint, mut plant) = (None, None, None, None);
    let mut aws = false;
    loop {
        let argument = parser
            .next()
            .map_err(|error| wrong(error.to_string(), format!("known options: {KNOWN}")))?;
        match argument {
            None => break,
            Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Command::Help),
            Some(Arg::Long("aws")) => aws = true,
            Some(Arg::Long("rate")) => {
                let text = value(&mut parser, "--rate", "--rate 3000")?;
                rate = Some(number("--rate", &text, RATE_MOST, RATE)?);
            }
            Some(Arg::Long("records")) => {
                let text = value(&mut parser, "--records", "--records 5000")?;
                records = Some(number("--records", &text, RECORDS_MOST, 5000)?);
            }
            Some(Arg::Long("endpoint")) => {
                let example = "--endpoint http://localhost:4567";
                endpoint = Some(url(value(&mut parser, "--endpoint", example)?)?);
            }
            Some(Arg::Long("plant")) => {
                let text = value(&mut parser, "--plant", "--plant drop")?;
                let known =
                    |known| wrong(format!("`--plant` is `{text}`; {known}"), "--plant drop");
                plant = Some(text.parse::<Plant>().map_err(known)?);
            }
            Some(other) => {
                let name = match other {
                    Arg::Long(name) => format!("--{name}"),
                    Arg::Short(name) => format!("-{name}"),
                    Arg::Value(value) => value.to_string_lossy().into_owned(),
                };
                let text = format!("unknown option `{name}`");
                return Err(wrong(text, format!("known options: {KNOWN}")));
            }
        }
    }
    let target = match (endpoint, aws) {
        (Some(endpoint), true) => {
            return Err(wrong(
                format!("`--endpoint {endpoint}` and `--aws` exclude each other"),
                "leave one of them out",
            ));
        }
        (Some(endpoint), false) => Target::Endpoint(endpoint),
        (None, true) => Target::Aws,
        (None, false) => Target::Embedded,
    };
    let rate = rate.unwrap_or(RATE);
    Ok(Command::Run(Plan {
        rate,
        records: records.unwrap_or(rate * SECONDS),
        target,
        plant,
    }))
}

fn value(parser: &mut lexopt::Parser, option: &str, example: &str) -> Result<String, OptionError> {
    let value = parser
        .value()
        .map_err(|_| wrong(format!("`{option}` needs a value"), example))?;
    value.into_string().map_err(|value| {
        let text = value.to_string_lossy();
        wrong(
            format!("`{option}` is `{text}`, which is not text"),
            example,
        )
    })
}

fn number(option: &str, text: &str, most: u64, example: u64) -> Result<u64, OptionError> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(wrong(
            format!("`{option}` is `{text}`; it is a whole number from 1 to {most}"),
            format!("{option} {example}"),
        )),
    }
}

fn url(text: String) -> Result<String, OptionError> {
    match kinesis_app_rules::endpoint::endpoint(&text) {
        Ok(_) => Ok(text),
        Err(fault) => {
            let suggestion = fault.suggestion(&text);
            let suggestion = suggestion.unwrap_or_else(|| "http://localhost:4567".into());
            Err(wrong(
                format!("`--endpoint`: {}", fault.with(&text)),
                format!("--endpoint {suggestion}"),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn options_make_a_plan() {
        assert_eq!(
            parsed(""),
            Ok(Command::Run(Plan {
                rate: 3000,
                records: 45_000,
                target: Target::Embedded,
                plant: None,
            }))
        );
        assert_eq!(
            parsed("--rate=100 --records 7 --endpoint http://localhost:4567 --plant skip"),
            Ok(Command::Run(Plan {
                rate: 100,
                records: 7,
                target: Target::Endpoint("http://localhost:4567".into()),
                plant: Some(Plant::Skip),
            }))
        );
        assert!(matches!(
            parsed("--aws"),
            Ok(Command::Run(Plan {
                target: Target::Aws,
                ..
            }))
        ));
        assert_eq!(parsed("--rate 5 --help"), Ok(Command::Help));
    }

    #[test]
    fn an_option_that_makes_no_sense_is_named_with_its_value_and_a_fix() {
        for (line, text) in [
            (
                "--rate fast",
                "`--rate` is `fast`; it is a whole number from 1 to 10000\nhelp: --rate 3000",
            ),
            (
                "--rate 0",
                "`--rate` is `0`; it is a whole number from 1 to 10000\nhelp: --rate 3000",
            ),
            (
                "--records 1000001",
                "`--records` is `1000001`; it is a whole number from 1 to 1000000\nhelp: --records 5000",
            ),
            ("--rate", "`--rate` needs a value\nhelp: --rate 3000"),
            (
                "--plant loss",
                "`--plant` is `loss`; the plants are `drop`, `reorder` and `skip`\nhelp: --plant drop",
            ),
            (
                "--endpoint localhost:4567",
                "`--endpoint`: endpoint `localhost:4567` has no scheme\nhelp: --endpoint http://localhost:4567",
            ),
            (
                "--endpoint http://localhost:4567 --aws",
                "`--endpoint http://localhost:4567` and `--aws` exclude each other\nhelp: leave one of them out",
            ),
            (
                "--speed 3",
                "unknown option `--speed`\nhelp: known options: `--rate`, `--records`, `--endpoint`, `--aws`, `--plant`, `--help`",
            ),
            (
                "now",
                "unknown option `now`\nhelp: known options: `--rate`, `--records`, `--endpoint`, `--aws`, `--plant`, `--help`",
            ),
        ] {
            assert_eq!(parsed(line), Err(text.into()), "{line}");
        }
    }

    #[test]
    fn help_speaks_of_every_option() {
        for option in KNOWN.split(", ") {
            assert!(HELP.contains(option.trim_matches('`')), "{option}");
        }
    }
}
