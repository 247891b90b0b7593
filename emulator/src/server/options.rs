//! The options of the program.

use super::Server;
use crate::{Kinesis, Limits};
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` prints.
pub const HELP: &str = "\
Amazon Kinesis Data Streams on a local port, for tests.

Usage: kinesis-app-emulator [OPTIONS]

Options:
      --port PORT                  the port; 0 lets the system choose [default: 4567]
      --host ADDRESS               the address to listen on [default: 127.0.0.1]
      --stream NAME:SHARDS         a stream to begin with; may be repeated
      --data DIRECTORY             keep streams and tables there, beyond the end [default: nowhere]
      --region REGION              the region in ARNs [default: us-east-1]
      --account DIGITS             the account in ARNs [default: 000000000000]
      --latency DURATION           from request to answer, as in 20ms or 1s [default: 0ms]
      --create-duration DURATION   how long a stream is CREATING [default: 0ms]
      --update-duration DURATION   how long it is UPDATING for a change [default: 0ms]
      --delete-duration DURATION   how long it is DELETING before it is gone [default: 0ms]
      --no-limits                  no limits on the rates of calls, records and bytes
      --help, --version

Beside the services: GET /_emulator/health, POST /_emulator/reset.
Any credentials will do. Without --data, what is stored is gone when the program ends; with it,
a program that is killed loses about the last 2 s, one that is stopped nothing.
";

/// What the program was asked to do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Command {
    /// Serve at this address.
    Serve(SocketAddr, Box<Server>),
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
}

/// An option that cannot be followed: what is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}\nhelp: {help}")]
pub struct OptionError {
    problem: String,
    help: String,
}

impl OptionError {
    fn new(problem: String, help: &str) -> Self {
        let help = help.to_owned();
        Self { problem, help }
    }
}

/// Reads the arguments behind the program's name.
///
/// ```
/// use kinesis_app_emulator::server::options::{Command, read};
///
/// let Ok(Command::Serve(address, _)) = read(["--port", "0", "--stream", "orders:2"]) else {
///     unreachable!()
/// };
/// assert_eq!(address.to_string(), "127.0.0.1:0");
///
/// let error = read(["--port", "http"]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`--port http`: a port is a number from 0 to 65535\nhelp: --port 4567"
/// );
/// ```
///
/// # Errors
///
/// An unknown option, a missing value, a value that breaks its rule.
pub fn read(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Command, OptionError> {
    let mut parser = Parser::from_args(arguments.into_iter().map(Into::into));
    let (mut host, mut port) = (IpAddr::V4(Ipv4Addr::LOCALHOST), 4_567);
    let mut settings = Kinesis::builder().wall_clock().latency(Duration::ZERO);
    let mut streams: Vec<(String, u32)> = Vec::new();
    let mut data: Option<PathBuf> = None;
    loop {
        let unknown = |error: lexopt::Error| OptionError::new(error.to_string(), "--help");
        let Some(argument) = parser.next().map_err(unknown)? else {
            break;
        };
        match argument {
            Arg::Long("port") => {
                let rule = Rule("port", "a port is a number from 0 to 65535", "--port 4567");
                port = rule.value(&mut parser, |text| text.parse().ok())?;
            }
            Arg::Long("host") => {
                let rule = Rule("host", "an address is an IP address", "--host 127.0.0.1");
                host = rule.value(&mut parser, |text| text.parse().ok())?;
            }
            Arg::Long("stream") => {
                let rule = Rule(
                    "stream",
                    "a stream is a name and a number of shards from 1",
                    "--stream orders:2",
                );
                let stream = rule.value(&mut parser, stream)?;
                if streams.iter().any(|(name, _)| *name == stream.0) {
                    let problem =
                        format!("`--stream {}:{}`: it is named twice", stream.0, stream.1);
                    return Err(OptionError::new(problem, "name each stream once"));
                }
                streams.push(stream);
            }
            Arg::Long("data") => {
                let rule = Rule("data", "a directory has a name", "--data kinesis-data");
                data = Some(rule.path(&mut parser)?);
            }
            Arg::Long("region") => {
                let rule = Rule(
                    "region",
                    "a region is letters, digits and hyphens",
                    "--region us-east-1",
                );
                settings = settings.region(&rule.value(&mut parser, region)?);
            }
            Arg::Long("account") => {
                let rule = Rule(
                    "account",
                    "an account is 12 digits",
                    "--account 000000000000",
                );
                settings = settings.account(&rule.value(&mut parser, account)?);
            }
            Arg::Long("latency") => {
                let span = span("latency", "--latency 20ms", &mut parser)?;
                settings = settings.latency(span);
            }
            Arg::Long("create-duration") => {
                let span = span("create-duration", "--create-duration 3s", &mut parser)?;
                settings = settings.create_duration(span);
            }
            Arg::Long("update-duration") => {
                let span = span("update-duration", "--update-duration 3s", &mut parser)?;
                settings = settings.update_duration(span);
            }
            Arg::Long("delete-duration") => {
                let span = span("delete-duration", "--delete-duration 3s", &mut parser)?;
                settings = settings.delete_duration(span);
            }
            Arg::Long("no-limits") => settings = settings.limits(Limits::Off),
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Command::Version),
            other => return Err(unknown(other.unexpected())),
        }
    }
    let server = data.into_iter().fold(Server::new(settings), Server::data);
    let server = streams
        .into_iter()
        .fold(server, |server, (name, shards)| server.stream(name, shards));
    Ok(Command::Serve(
        SocketAddr::new(host, port),
        Box::new(server),
    ))
}

/// An option's name, the rule of its value, and one that follows the rule.
struct Rule(&'static str, &'static str, &'static str);

impl Rule {
    /// Paths need not be text.
    fn path(&self, parser: &mut Parser) -> Result<PathBuf, OptionError> {
        let Self(option, rule, help) = self;
        let value = parser.value().ok().filter(|value| !value.is_empty());
        let missing = || OptionError::new(format!("`--{option}` has no value: {rule}"), help);
        value.map(PathBuf::from).ok_or_else(missing)
    }

    fn value<T>(
        &self,
        parser: &mut Parser,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, OptionError> {
        let Self(option, rule, help) = self;
        let missing = |_| OptionError::new(format!("`--{option}` has no value: {rule}"), help);
        let value = parser.value().map_err(missing)?;
        let shown = value.to_string_lossy().into_owned();
        let value = value.string().ok().and_then(|text| read(&text));
        value.ok_or_else(|| OptionError::new(format!("`--{option} {shown}`: {rule}"), help))
    }
}

fn stream(text: &str) -> Option<(String, u32)> {
    let (name, shards) = text.split_once(':')?;
    let shards = shards.parse().ok().filter(|shards| *shards > 0)?;
    let letter = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let named = (1..=128).contains(&name.len()) && name.chars().all(letter);
    named.then(|| (name.to_owned(), shards))
}

fn region(text: &str) -> Option<String> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let named = !text.is_empty() && text.chars().all(letter);
    named.then(|| text.to_owned())
}

fn account(text: &str) -> Option<String> {
    let digits = text.len() == 12 && text.chars().all(|c| c.is_ascii_digit());
    digits.then(|| text.to_owned())
}

fn span(
    option: &'static str,
    help: &'static str,
    parser: &mut Parser,
) -> Result<Duration, OptionError> {
    Rule(option, "a duration is a number and `ms` or `s`", help).value(parser, duration)
}

fn duration(text: &str) -> Option<Duration> {
    let parsed = |number: &str| number.parse::<u32>().ok().map(u64::from);
    match text.strip_suffix("ms") {
        Some(number) => parsed(number).map(Duration::from_millis),
        None => parsed(text.strip_suffix('s')?).map(Duration::from_secs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> String {
        read(arguments.iter().copied()).unwrap_err().to_string()
    }

    #[test]
    fn an_address_is_loopback_unless_told_otherwise() {
        let address = |arguments: &[&str]| match read(arguments.iter().copied()) {
            Ok(Command::Serve(address, _)) => address.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(address(&[]), "127.0.0.1:4567");
        assert_eq!(address(&["--port=0", "--host", "::1"]), "[::1]:0");
        assert_eq!(
            address(&["--host", "0.0.0.0", "--no-limits"]),
            "0.0.0.0:4567"
        );
    }

    #[test]
    fn each_bad_option_names_itself_its_value_its_rule_and_the_way_out() {
        for (arguments, told) in [
            (
                &["--port", "65536"][..],
                "`--port 65536`: a port is a number from 0 to 65535\nhelp: --port 4567",
            ),
            (
                &["--port"],
                "`--port` has no value: a port is a number from 0 to 65535\nhelp: --port 4567",
            ),
            (
                &["--host", "localhost"],
                "`--host localhost`: an address is an IP address\nhelp: --host 127.0.0.1",
            ),
            (
                &["--latency", "20"],
                "`--latency 20`: a duration is a number and `ms` or `s`\nhelp: --latency 20ms",
            ),
            (
                &["--update-duration"],
                "`--update-duration` has no value: a duration is a number and `ms` or `s`\nhelp: --update-duration 3s",
            ),
            (
                &["--delete-duration", "1m"],
                "`--delete-duration 1m`: a duration is a number and `ms` or `s`\nhelp: --delete-duration 3s",
            ),
            (
                &["--data"],
                "`--data` has no value: a directory has a name\nhelp: --data kinesis-data",
            ),
            (
                &["--data", ""],
                "`--data` has no value: a directory has a name\nhelp: --data kinesis-data",
            ),
            (
                &["--account", "1"],
                "`--account 1`: an account is 12 digits\nhelp: --account 000000000000",
            ),
            (
                &["--region", ""],
                "`--region `: a region is letters, digits and hyphens\nhelp: --region us-east-1",
            ),
            (
                &["--stream", "a:1", "--stream", "a:2"],
                "`--stream a:2`: it is named twice\nhelp: name each stream once",
            ),
            (&["--prot", "1"], "invalid option '--prot'\nhelp: --help"),
            (&["4567"], "unexpected argument \"4567\"\nhelp: --help"),
        ] {
            assert_eq!(refused(arguments), told, "{arguments:?}");
        }
        let rule = "a stream is a name and a number of shards from 1\nhelp: --stream orders:2";
        for stream in [
            "orders",
            "orders:",
            "orders:0",
            ":1",
            "or ders:1",
            "orders:x",
        ] {
            let told = format!("`--stream {stream}`: {rule}");
            assert_eq!(refused(&["--stream", stream]), told);
        }
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("20ms"), Some(Duration::from_millis(20)));
        assert_eq!(duration("2s"), Some(Duration::from_secs(2)));
        for text in ["", "s", "ms", "-1s", "1m", "1.5s", "99999999999s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_state_of_a_stream_lasts_as_long_as_its_option_says() {
        let durations = [
            "--create-duration",
            "3s",
            "--update-duration=5s",
            "--delete-duration",
            "700ms",
        ];
        let Ok(Command::Serve(_, server)) = read(durations) else {
            panic!("the options are good");
        };
        let kinesis = server.settings.build();
        let client = kinesis.client();
        let status = async || {
            let summary = client.describe_stream_summary().stream_name("s").send();
            let summary = summary.await.ok()?.stream_description_summary?;
            Some(summary.stream_status.as_str().to_owned())
        };
        let lasts = async |shown: &str, millis: u64| {
            assert_eq!(status().await.as_deref(), Some(shown));
            tokio::time::advance(Duration::from_millis(millis - 1)).await;
            assert_eq!(status().await.as_deref(), Some(shown));
            tokio::time::advance(Duration::from_millis(1)).await;
        };
        kinesis.create_stream("s", 1).unwrap();
        lasts("CREATING", 3_000).await;
        assert_eq!(status().await.as_deref(), Some("ACTIVE"));
        kinesis.split("s", "shardId-000000000000").unwrap();
        lasts("UPDATING", 5_000).await;
        assert_eq!(status().await.as_deref(), Some("ACTIVE"));
        kinesis.delete_stream("s").unwrap();
        lasts("DELETING", 700).await;
        assert_eq!(status().await, None);
    }
}
