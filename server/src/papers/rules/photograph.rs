//! A photograph against the limits of the government's portal.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{FieldFinding, PaperField};
use crate::orders::rules::comparison::{Equal, Likeness};
use crate::papers::limits::PhotographLimits;
use crate::papers::reading::PhotographReading;
use images::grey::whole;
use images::portal::Part;

/// A picture with less colour is grey; JPEG adds a little to grey pictures.
const LEAST_COLOUR: f32 = 6.0;
/// Below it a picture looks soft. Measured with the corpus of docs/checks.md.
const LEAST_SHARPNESS: f32 = 30.0;
/// Above it the border shows more than a wall.
const MOST_BORDER: f32 = 14.0;
/// The most that the ratio of the sides may differ from the portal's ratio, in hundredths.
const RATIO_TOLERANCE: f32 = 3.0;

/// The part of a photograph that the portal's version shows, in fractions of the photograph. Its height follows from the portal's ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Frame {
    /// Its left side, from 0.
    pub left: f32,
    /// Its upper side, from 0.
    pub top: f32,
    /// Its width, at most 1.
    pub width: f32,
}

/// The pixels within a frame of a picture. None if they are fewer than `least`, or not within the picture.
pub fn part(frame: Frame, (width, height): (u32, u32), least: (u32, u32)) -> Option<Part> {
    let pixels = |fraction: f32, of: u32| u32::try_from(whole(fraction * of as f32)).ok();
    let is_inside = (0.0..=1.0).contains(&frame.left) && (0.0..=1.0).contains(&frame.top) && frame.width <= 1.0;
    let (left, top) = (pixels(frame.left, width)?, pixels(frame.top, height)?);
    // A frame at an edge may be rounded over it.
    let wide = pixels(frame.width, width)?.min(width.checked_sub(left)?);
    let high = (wide * least.1 / least.0).min(height.checked_sub(top)?);
    let wide = high * least.0 / least.1;
    (is_inside && wide >= least.0 && high >= least.1).then_some(Part { left, top, width: wide, height: high })
}

/// Compares a photograph with the limits. `typed` of a finding is the portal's figure, `read` what the photograph has.
pub fn compare(reading: &PhotographReading, limits: &PhotographLimits) -> Vec<FieldFinding> {
    let PhotographReading { media_type, bytes, measures } = reading;
    let one = |field, limit: String, has: String, is_fine: bool, otherwise: fn(&'static str) -> Likeness, note| {
        let met = Equal::by(&limit, &has, |_, _| is_fine);
        let finding = FieldFinding::compared(field, limit, &has, met.map_or(otherwise(note), Likeness::Same));
        if is_fine { finding } else { finding.with_note(note) }
    };
    let (width, height) = (measures.width, measures.height);
    let wanted = limits.min_width as f32 / limits.min_height as f32;
    let ratio = width as f32 / height.max(1) as f32;
    let name = |kind: &str| kind.trim_start_matches("image/").to_uppercase();
    let formats: Vec<String> = limits.formats.iter().map(|format| name(format.as_str())).collect();
    vec![
        one(
            PaperField::Format,
            formats.join(" or "),
            name(media_type.as_str()),
            limits.formats.contains(media_type),
            Likeness::Look,
            "The portal does not take this format",
        ),
        one(
            PaperField::Pixels,
            format!("at least {} × {}", limits.min_width, limits.min_height),
            format!("{width} × {height}"),
            width >= limits.min_width && height >= limits.min_height,
            |_| Likeness::Differs,
            "Enlarging it does not help. Ask for a new photograph",
        ),
        one(
            PaperField::FileSize,
            format!("at most {} MB", limits.max_bytes as f32 / 1e6),
            size_text(*bytes),
            *bytes <= limits.max_bytes,
            Likeness::Look,
            "It must be made smaller",
        ),
        one(
            PaperField::Aspect,
            format!("{} : {}", limits.min_width / 100, limits.min_height / 100),
            format!("{} : {}", side_text(ratio * limits.min_height as f32 / 100.0), limits.min_height / 100),
            (ratio / wanted - 1.0).abs() * 100.0 <= RATIO_TOLERANCE,
            Likeness::Look,
            "Wrong proportions, crop it",
        ),
        one(
            PaperField::Colour,
            if limits.colour { "colour" } else { "any" }.into(),
            if measures.colour >= LEAST_COLOUR { "colour" } else { "grey" }.into(),
            !limits.colour || measures.colour >= LEAST_COLOUR,
            |_| Likeness::Differs,
            "The portal wants a photograph in colour",
        ),
        one(
            PaperField::Sharpness,
            "blurred ones are refused".into(),
            if measures.sharpness >= LEAST_SHARPNESS { "sharp" } else { "soft" }.into(),
            measures.sharpness >= LEAST_SHARPNESS,
            Likeness::Look,
            "It may be too blurred",
        ),
        one(
            PaperField::Border,
            "an even background".into(),
            if measures.border <= MOST_BORDER { "even" } else { "uneven" }.into(),
            measures.border <= MOST_BORDER,
            Likeness::Look,
            "The background shows more than a wall",
        ),
    ]
}

/// A number of bytes, in the unit in which it is not nothing.
fn size_text(bytes: usize) -> String {
    if bytes < 100_000 { format!("{} kB", bytes.div_ceil(1_000)) } else { format!("{:.1} MB", bytes as f32 / 1e6) }
}

/// A side, such as `4` or `4.25`.
fn side_text(side: f32) -> String {
    format!("{side:.2}").trim_end_matches(".00").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::rules::MediaType;
    use crate::papers::limits::portal;
    use crate::papers::rules::Finding;
    use images::photograph::Measures;

    fn fine() -> PhotographReading {
        let measures = Measures { width: 800, height: 1_200, colour: 40.0, sharpness: 90.0, border: 2.0 };
        PhotographReading { media_type: MediaType::Jpeg, bytes: 400_000, measures }
    }

    fn wrong(change: impl FnOnce(&mut PhotographReading)) -> Vec<(PaperField, Finding)> {
        let mut reading = fine();
        change(&mut reading);
        let all = compare(&reading, &portal().photograph);
        all.into_iter().filter(|one| one.finding() != Finding::Same).map(|one| (one.field, one.finding())).collect()
    }

    #[test]
    fn a_frame_is_cut_in_the_portal_s_ratio_and_not_below_its_pixels() {
        let least = (400, 600);
        let frame = |left, top, width| part(Frame { left, top, width }, (1_200, 900), least);
        assert_eq!(frame(0.25, 0.0, 0.5), Some(Part { left: 300, top: 0, width: 600, height: 900 }));
        assert_eq!(frame(0.0, 0.1, 0.4), Some(Part { left: 0, top: 90, width: 480, height: 720 }));
        assert_eq!(frame(0.0, 0.0, 0.3), None, "360 pixels");
        assert_eq!(frame(-0.1, 0.0, 0.5), None);
        assert_eq!(frame(0.9, 0.0, 0.5), None);
        assert_eq!(frame(f32::NAN, 0.0, f32::INFINITY), None);
    }

    #[test]
    fn sizes_and_sides_are_spelled_as_people_do() {
        assert_eq!([8_400, 99_999, 100_000, 2_340_000].map(size_text), ["9 kB", "100 kB", "0.1 MB", "2.3 MB"]);
        assert_eq!([4.0, 4.25, 10.0].map(side_text), ["4", "4.25", "10"]);
    }

    #[test]
    fn each_fault_is_found_and_nothing_else() {
        use PaperField::{Aspect, Border, Colour, FileSize, Format, Pixels, Sharpness};
        assert_eq!(wrong(|_| {}), []);
        assert_eq!(wrong(|one| one.media_type = MediaType::Webp), [(Format, Finding::Look)]);
        assert_eq!(wrong(|one| (one.measures.width, one.measures.height) = (360, 540)), [(Pixels, Finding::Differs)]);
        assert_eq!(wrong(|one| one.bytes = 2_000_001), [(FileSize, Finding::Look)]);
        assert_eq!(wrong(|one| one.measures.width = 900), [(Aspect, Finding::Look)]);
        assert_eq!(wrong(|one| one.measures.colour = 1.0), [(Colour, Finding::Differs)]);
        assert_eq!(wrong(|one| one.measures.sharpness = 5.0), [(Sharpness, Finding::Look)]);
        assert_eq!(wrong(|one| one.measures.border = 30.0), [(Border, Finding::Look)]);
    }
}
