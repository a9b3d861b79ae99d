//! The limits of the government's portal, which are data: they change without notice, so each has the day on which it was read and its
//! source.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::documents::rules::MediaType;

/// The limits of the portal.
#[derive(Debug, Deserialize)]
pub struct PortalLimits {
    /// The day on which they were read.
    pub as_of: chrono::NaiveDate,
    pub photograph: PhotographLimits,
}

/// The limits of the applicant's photograph.
#[derive(Debug, Deserialize)]
pub struct PhotographLimits {
    /// Where they were read.
    pub source: String,
    pub formats: Vec<MediaType>,
    pub min_width: u32,
    pub min_height: u32,
    pub max_bytes: usize,
    pub colour: bool,
}

/// The limits of the portal.
#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
pub fn portal() -> &'static PortalLimits {
    static LIMITS: LazyLock<PortalLimits> =
        LazyLock::new(|| serde_json::from_str(include_str!("portal.json")).expect("the limits of the portal"));
    &LIMITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_of_a_picture_of_four_by_six() {
        let PhotographLimits { min_width, min_height, ref formats, .. } = portal().photograph;
        assert_eq!(min_width * 6, min_height * 4);
        assert!(formats.contains(&MediaType::Jpeg));
    }
}
