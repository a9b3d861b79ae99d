//! The limits of the government's portal on a photograph, from `visas/portal.json`, with the types of files as the checks know them.

use std::sync::LazyLock;

use crate::documents::rules::MediaType;
use crate::visas::portal;

/// The limits of the portal.
#[derive(Debug)]
pub struct PortalLimits {
    /// The day on which they were read.
    pub as_of: chrono::NaiveDate,
    pub photograph: PhotographLimits,
}

/// The limits of the applicant's photograph.
#[derive(Debug)]
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
pub fn portal() -> &'static PortalLimits {
    static LIMITS: LazyLock<PortalLimits> = LazyLock::new(|| {
        let portal::Portal { as_of, photograph, .. } = portal::get();
        let portal::PhotographFigures { source, formats, min_width, min_height, max_bytes, colour } =
            photograph.clone();
        let formats = formats.iter().filter_map(|format| MediaType::parse(format)).collect();
        let photograph = PhotographLimits { source, formats, min_width, min_height, max_bytes, colour };
        PortalLimits { as_of: *as_of, photograph }
    });
    &LIMITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_of_a_picture_of_four_by_six() {
        let PhotographLimits { min_width, min_height, ref formats, .. } = portal().photograph;
        assert_eq!(min_width * 6, min_height * 4);
        assert_eq!(formats, &[MediaType::Jpeg, MediaType::Png]);
    }
}
