use std::{collections::BTreeMap, fmt::Display, str::FromStr, sync::Arc};

/// What a process was started with: its arguments and environment. Both are empty in tests, unless they are put there.
#[derive(Debug, Clone, Default)]
pub struct Setup(Arc<Inner>);

#[derive(Debug, Clone, Default)]
struct Inner {
    arguments: Vec<String>,
    variables: BTreeMap<String, String>,
}

/// A variable that is not set, or not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// It is not set, or not text.
    #[error("the environment variable `{variable}` is not set")]
    Missing {
        /// Its name.
        variable: String,
    },
    /// It does not parse.
    #[error("the environment variable `{variable}` is `{value}`: {reason}")]
    Unparsable {
        /// Its name.
        variable: String,
        /// Its value.
        value: String,
        /// What its type says of it.
        reason: String,
    },
}

impl Setup {
    /// Nothing at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The arguments and environment of this process. Variables and arguments that are not text are left out.
    pub fn of_process() -> Self {
        let text = |value: std::ffi::OsString| value.into_string().ok();
        Self(Arc::new(Inner {
            arguments: std::env::args_os().skip(1).filter_map(text).collect(),
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((text(name)?, text(value)?)))
                .collect(),
        }))
    }

    /// Sets a variable, for tests.
    pub fn with_env(self, variable: &str, value: &str) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.0);
        inner.variables.insert(variable.into(), value.into());
        Self(Arc::new(inner))
    }

    /// The arguments behind the program's name.
    pub fn args(&self) -> &[String] {
        &self.0.arguments
    }

    /// A variable that must be set.
    ///
    /// # Errors
    ///
    /// [`SetupError::Missing`] if it is not.
    pub fn env(&self, variable: &str) -> Result<String, SetupError> {
        self.lookup(variable)
            .map(Into::into)
            .ok_or_else(|| SetupError::Missing {
                variable: variable.into(),
            })
    }

    /// A variable that may be set, parsed.
    ///
    /// # Errors
    ///
    /// [`SetupError::Unparsable`] if it is set and does not parse.
    pub fn env_opt<T: FromStr<Err: Display>>(
        &self,
        variable: &str,
    ) -> Result<Option<T>, SetupError> {
        let Some(value) = self.lookup(variable) else {
            return Ok(None);
        };
        value
            .parse()
            .map(Some)
            .map_err(|error: T::Err| SetupError::Unparsable {
                variable: variable.into(),
                value: value.into(),
                reason: error.to_string(),
            })
    }

    pub(crate) fn lookup(&self, variable: &str) -> Option<&str> {
        self.0.variables.get(variable).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_does_not_parse_is_named_with_its_value() {
        let setup = Setup::empty().with_env("ORDERS_BATCH", "many");
        let error = setup
            .env_opt::<u32>("ORDERS_BATCH")
            .expect_err("not a number");
        assert_eq!(
            error.to_string(),
            "the environment variable `ORDERS_BATCH` is `many`: invalid digit found in string"
        );
        assert_eq!(setup.env_opt::<u32>("OTHER"), Ok(None));
        assert_eq!(
            setup.env("OTHER").expect_err("not set").to_string(),
            "the environment variable `OTHER` is not set"
        );
    }
}
