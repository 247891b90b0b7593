//! The two protocols that the service speaks, told apart by the content type alone.

/// How a body is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `application/x-amz-json-1.1`: blobs in base64, times in seconds with a fraction.
    #[default]
    Json,
    /// `application/x-amz-cbor-1.1`: blobs as byte strings, times in whole milliseconds under tag 1.
    Cbor,
}

impl Protocol {
    /// That of a request. What is not CBOR is read as JSON, whatever it calls itself: the body says
    /// soon enough when it is something else.
    pub(crate) fn of_content_type(content_type: Option<&str>) -> Self {
        let media = content_type.and_then(|text| text.split(';').next());
        match media.map(str::trim) {
            Some(media) if media.eq_ignore_ascii_case(Self::Cbor.content_type()) => Self::Cbor,
            _ => Self::Json,
        }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/x-amz-json-1.1",
            Self::Cbor => "application/x-amz-cbor-1.1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_type_decides() {
        let of = |text| Protocol::of_content_type(text);
        assert_eq!(of(Some("application/x-amz-cbor-1.1")), Protocol::Cbor);
        assert_eq!(
            of(Some("Application/X-AMZ-CBOR-1.1; charset=x")),
            Protocol::Cbor
        );
        for other in ["application/x-amz-json-1.1", "application/cbor", "", ";"] {
            assert_eq!(of(Some(other)), Protocol::Json, "{other}");
        }
        assert_eq!(of(None), Protocol::Json);
    }
}
