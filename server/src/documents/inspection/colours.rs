//! Colours of pictures, as sRGB: a stored picture has no profile, and programs that read it expect none.

use std::sync::Arc;

use image::DynamicImage;
use moxcms::{
    Chromaticity, CicpColorPrimaries, CicpProfile, ColorPrimaries, ColorProfile, DataColorSpace, Layout,
    MatrixCoefficients, ProfileClass, RenderingIntent, ToneReprCurve, TransferCharacteristics, Transform8BitExecutor,
    Transform16BitExecutor, TransformExecutor, TransformOptions,
};

/// The most bytes of a profile. Those of presses, the largest in use, have some two million.
pub const MAX_PROFILE_BYTES: u64 = 4 * 1024 * 1024;
/// The most tags of a profile. Usual ones have up to thirty.
const MAX_TAGS: usize = 100;
/// The tags that colours are computed by. All others, such as texts, are not even read.
const TAGS: [&[u8; 4]; 11] =
    [b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC", b"kTRC", b"A2B0", b"A2B1", b"wtpt", b"chad"];
/// The most by which a part of a colour may differ between two spaces that count as the same.
const TOLERANCE: u8 = 3;
/// The least by which white must be lighter than black, for the sum of the parts of a colour. A profile of less is damaged.
const LEAST_CONTRAST: u32 = 3 * 64;
/// Pixels that are converted at once.
const STEP: usize = 4096;

/// Of what the values of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourModel {
    Grey,
    Rgb,
    /// Cyan, magenta, yellow and black.
    Inks,
}

/// The colours that the values of a picture mean.
#[derive(Debug)]
pub struct Colours {
    profile: ColorProfile,
    options: TransformOptions,
    model: ColourModel,
    are_srgb: bool,
}

impl Colours {
    /// Of an ICC profile. None if it is damaged or too large, or describes other values than those of the model.
    pub fn of_profile(content: &[u8], model: ColourModel) -> Option<Self> {
        let profile = ColorProfile::new_from_slice(&without_other_tags(content)?).ok()?;
        let space = match model {
            ColourModel::Grey => DataColorSpace::Gray,
            ColourModel::Rgb => DataColorSpace::Rgb,
            ColourModel::Inks => DataColorSpace::Cmyk,
        };
        let class = profile.profile_class;
        let describes_a_device = class == ProfileClass::InputDevice
            || class == ProfileClass::DisplayDevice
            || class == ProfileClass::OutputDevice
            || class == ProfileClass::ColorSpace;
        if profile.color_space == space && describes_a_device { Self::of(profile, model) } else { None }
    }

    /// Of the content of a cICP chunk (ITU-T H.273). None for spaces with more light than a screen of sRGB has: they need another look
    /// for each screen.
    pub fn of_code_points(points: &[u8], model: ColourModel) -> Option<Self> {
        let &[primaries, transfer, 0, 1] = points else { return None };
        let transfer_characteristics = TransferCharacteristics::try_from(transfer).ok()?;
        let is_high_range =
            matches!(transfer_characteristics, TransferCharacteristics::Smpte2084 | TransferCharacteristics::Hlg);
        if is_high_range || model != ColourModel::Rgb {
            return None;
        }
        let profile = ColorProfile::new_from_cicp(CicpProfile {
            color_primaries: CicpColorPrimaries::try_from(primaries).ok()?,
            transfer_characteristics,
            matrix_coefficients: MatrixCoefficients::Identity,
            full_range: true,
        });
        Self::of(profile, model)
    }

    /// Of the values of a gAMA chunk and of a cHRM chunk (white, red, green, blue). None for those that stand for sRGB.
    pub fn of_gamma(gamma: u32, points: Option<[u32; 8]>, model: ColourModel) -> Option<Self> {
        let exponent = 100_000.0 / f64::from(gamma);
        let point =
            |at: usize| points.map(|points| (f64::from(points[at]) / 100_000.0, f64::from(points[at + 1]) / 100_000.0));
        let srgb = [(0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06)];
        let given: Vec<(f64, f64)> =
            srgb.iter().enumerate().map(|(at, usual)| point(2 * at).unwrap_or(*usual)).collect();
        let is_usual = |((x, y), (usual_x, usual_y)): (&(f64, f64), &(f64, f64))| {
            (x - usual_x).abs() < 0.005 && (y - usual_y).abs() < 0.005
        };
        let are_primaries_usual = model == ColourModel::Grey || given.iter().zip(&srgb).all(is_usual);
        // 2.2 with these primaries is how programs without profiles say sRGB, whose curve is another one.
        if (are_primaries_usual && (exponent - 2.2).abs() < 0.11) || !(0.1..=10.0).contains(&exponent) {
            return None;
        }
        let curve = ToneReprCurve::Parametric(vec![as_f32(exponent)]);
        if model == ColourModel::Grey {
            let mut profile = ColorProfile::new_gray_with_gamma(2.2);
            profile.gray_trc = Some(curve);
            return Self::of(profile, model);
        }
        let places = given.iter().all(|(x, y)| *y > 0.0 && x + y <= 1.0);
        let chromaticity = |(x, y): (f64, f64)| Chromaticity::new(as_f32(x), as_f32(y));
        let &[white, red, green, blue] = given.as_slice() else { return None };
        let mut profile = ColorProfile::new_srgb();
        profile.update_rgb_colorimetry(
            chromaticity(white).to_xyyb(),
            ColorPrimaries { red: chromaticity(red), green: chromaticity(green), blue: chromaticity(blue) },
        );
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
        if places { Self::of(profile, model) } else { None }
    }

    /// None if the profile cannot be used: it lacks what the conversion needs, or makes no picture of one.
    fn of(profile: ColorProfile, model: ColourModel) -> Option<Self> {
        // Without a table for photographs, one for measured colours does.
        [RenderingIntent::Perceptual, RenderingIntent::RelativeColorimetric].into_iter().find_map(|rendering_intent| {
            let options = TransformOptions { rendering_intent, ..TransformOptions::default() };
            let mut colours = Colours { profile: profile.clone(), options, model, are_srgb: false };
            let samples = samples(model);
            let shown = colours.converted(&samples)?;
            let brightness =
                |pixel: Option<&[u8]>| pixel.map(|pixel| pixel.iter().copied().map(u32::from).sum::<u32>());
            let ends = (
                brightness(shown.first_chunk::<3>().map(<[u8; 3]>::as_slice)),
                brightness(shown.last_chunk::<3>().map(<[u8; 3]>::as_slice)),
            );
            let (black, white) = if model == ColourModel::Inks { (ends.1?, ends.0?) } else { (ends.0?, ends.1?) };
            if white < black + LEAST_CONTRAST {
                return None;
            }
            let is_close = |(one, other): (&u8, u8)| one.abs_diff(other) <= TOLERANCE;
            colours.are_srgb = match model {
                ColourModel::Grey => shown.iter().zip(samples.iter().flat_map(|one| [*one; 3])).all(is_close),
                ColourModel::Rgb => shown.iter().zip(samples).all(is_close),
                ColourModel::Inks => false,
            };
            Some(colours)
        })
    }

    /// Returns true if the values are those of sRGB, as well as anyone can see.
    pub fn are_srgb(&self) -> bool {
        self.are_srgb
    }

    pub fn model(&self) -> ColourModel {
        self.model
    }

    /// Converts the values of a picture of this model to sRGB. Transparency stays as it is.
    pub fn convert(&self, picture: &mut DynamicImage) -> Option<()> {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        match picture {
            DynamicImage::ImageLuma8(grey) => replace(grey, 1, &self.grey_bytes()?),
            DynamicImage::ImageLumaA8(grey) => replace(grey, 2, &self.grey_bytes()?),
            DynamicImage::ImageLuma16(grey) => {
                replace(grey, 1, &grey_table(&all, &*self.of_16_bits(Layout::Gray, Layout::Rgb)?)?);
            }
            DynamicImage::ImageLumaA16(grey) => {
                replace(grey, 2, &grey_table(&all, &*self.of_16_bits(Layout::Gray, Layout::Rgb)?)?);
            }
            DynamicImage::ImageRgb8(rgb) => in_steps(rgb, 3, &*self.of_8_bits(Layout::Rgb, Layout::Rgb)?)?,
            DynamicImage::ImageRgba8(rgb) => in_steps(rgb, 4, &*self.of_8_bits(Layout::Rgba, Layout::Rgba)?)?,
            DynamicImage::ImageRgb16(rgb) => in_steps(rgb, 3, &*self.of_16_bits(Layout::Rgb, Layout::Rgb)?)?,
            DynamicImage::ImageRgba16(rgb) => in_steps(rgb, 4, &*self.of_16_bits(Layout::Rgba, Layout::Rgba)?)?,
            _ => return None,
        }
        Some(())
    }

    /// The RGB values of such values of 8 bits; for inks, full ink is 255.
    pub fn converted(&self, values: &[u8]) -> Option<Vec<u8>> {
        let (layout, channels) = match self.model {
            ColourModel::Grey => (Layout::Gray, 1),
            ColourModel::Rgb => (Layout::Rgb, 3),
            ColourModel::Inks => (Layout::Rgba, 4),
        };
        let transform = self.of_8_bits(layout, Layout::Rgb)?;
        let mut shown = vec![0; values.len() / channels * 3];
        for (values, shown) in values.chunks(STEP * channels).zip(shown.chunks_mut(STEP * 3)) {
            transform.transform(values, shown).ok()?;
        }
        Some(shown)
    }

    fn grey_bytes(&self) -> Option<Vec<u8>> {
        grey_table(&(0..=u8::MAX).collect::<Vec<_>>(), &*self.of_8_bits(Layout::Gray, Layout::Rgb)?)
    }

    fn of_8_bits(&self, from: Layout, to: Layout) -> Option<Arc<Transform8BitExecutor>> {
        self.profile.create_transform_8bit(from, &ColorProfile::new_srgb(), to, self.options).ok()
    }

    fn of_16_bits(&self, from: Layout, to: Layout) -> Option<Arc<Transform16BitExecutor>> {
        self.profile.create_transform_16bit(from, &ColorProfile::new_srgb(), to, self.options).ok()
    }
}

/// Values all over the space, from black to white; of inks only none and all.
fn samples(model: ColourModel) -> Vec<u8> {
    let steps = || (0..=u8::MAX).step_by(15);
    match model {
        ColourModel::Grey => (0..=u8::MAX).collect(),
        ColourModel::Rgb => {
            let pairs = steps().flat_map(|red| steps().map(move |green| (red, green)));
            pairs.flat_map(|(red, green)| steps().flat_map(move |blue| [red, green, blue])).collect()
        }
        ColourModel::Inks => [[0; 4], [u8::MAX; 4]].concat(),
    }
}

/// The profile with only those tags that colours are computed by: others may be damaged, or written to fill the memory. None if it cannot
/// be a profile.
fn without_other_tags(profile: &[u8]) -> Option<Vec<u8>> {
    let is_small = u64::try_from(profile.len()).is_ok_and(|length| length <= MAX_PROFILE_BYTES);
    let mut plain = profile.to_vec();
    let count = usize::try_from(u32::from_be_bytes(*plain.get(128..)?.first_chunk()?)).ok()?;
    if !is_small || count > MAX_TAGS {
        return None;
    }
    for tag in plain.get_mut(132..132 + 12 * count)?.chunks_exact_mut(12) {
        if !TAGS.iter().any(|known| tag.starts_with(*known)) {
            tag[..4].fill(0);
        }
    }
    Some(plain)
}

/// For each value of grey, the one that looks the same in sRGB.
fn grey_table<T: Copy + Default>(values: &[T], transform: &dyn TransformExecutor<T>) -> Option<Vec<T>> {
    let mut shown = vec![T::default(); values.len() * 3];
    transform.transform(values, &mut shown).ok()?;
    Some(shown.into_iter().step_by(3).collect())
}

/// Replaces each value of grey by that of the table. A pixel has as many channels.
fn replace<T: Copy + Into<u32>>(values: &mut [T], channels: usize, table: &[T]) {
    for value in values.iter_mut().step_by(channels) {
        let at: u32 = (*value).into();
        if let Some(shown) = usize::try_from(at).ok().and_then(|at| table.get(at)) {
            *value = *shown;
        }
    }
}

fn in_steps<T: Copy + Default>(values: &mut [T], channels: usize, transform: &dyn TransformExecutor<T>) -> Option<()> {
    for part in values.chunks_mut(STEP * channels) {
        let source = part.to_vec();
        transform.transform(&source, part).ok()?;
    }
    Some(())
}

fn as_f32(value: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the numbers of a chunk have five digits")]
    let rounded = value as f32;
    rounded
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};
    use proptest::prelude::*;

    use super::*;

    fn display_p3() -> Vec<u8> {
        ColorProfile::new_display_p3().encode().unwrap()
    }

    fn of(profile: &[u8]) -> Option<Colours> {
        Colours::of_profile(profile, ColourModel::Rgb)
    }

    #[test]
    fn a_colour_of_a_wide_space_becomes_the_same_colour_of_srgb() {
        let colours = of(&display_p3()).unwrap();
        assert!(!colours.are_srgb());
        let near = |found: &[u16], expected: [u16; 3], most: u16| {
            found.iter().zip(expected).all(|(one, other)| one.abs_diff(other) <= most)
        };
        let expected = [209, 147, 118];
        let mut picture = DynamicImage::ImageRgba8(RgbaImage::from_pixel(70, 70, Rgba([200, 150, 123, 40])));
        colours.convert(&mut picture).unwrap();
        let Rgba([red, green, blue, alpha]) = *picture.as_rgba8().unwrap().get_pixel(69, 69);
        assert!(near(&[red, green, blue].map(u16::from), expected, 1) && alpha == 40, "{red} {green} {blue} {alpha}");
        let mut picture = DynamicImage::ImageRgb8(RgbImage::from_pixel(70, 70, Rgb([200, 150, 123]))).into_rgb16();
        let mut deep = DynamicImage::ImageRgb16(std::mem::take(&mut picture));
        colours.convert(&mut deep).unwrap();
        let Rgb(found) = *deep.as_rgb16().unwrap().get_pixel(69, 69);
        assert!(near(&found, expected.map(|one| one * 257), 257), "{found:?}");
    }

    #[test]
    fn a_profile_of_srgb_changes_nothing() {
        assert!(of(&ColorProfile::new_srgb().encode().unwrap()).unwrap().are_srgb());
    }

    #[test]
    fn a_profile_that_is_no_use_counts_as_not_there() {
        let profile = display_p3();
        assert!(of(&profile).is_some());
        assert!(Colours::of_profile(&profile, ColourModel::Grey).is_none(), "for other pixels");
        let mut black = ColorProfile::new_display_p3();
        (black.red_colorant, black.green_colorant) = (moxcms::Xyzd::default(), moxcms::Xyzd::default());
        black.blue_colorant = moxcms::Xyzd::default();
        assert!(of(&black.encode().unwrap()).is_none(), "all is dark");
        let mut flat = ColorProfile::new_gray_with_gamma(2.2);
        flat.gray_trc = Some(ToneReprCurve::Lut(vec![0, 9]));
        assert!(Colours::of_profile(&flat.encode().unwrap(), ColourModel::Grey).is_none(), "white is black");
        let mut crowded = profile.clone();
        crowded[128..132].copy_from_slice(&101_u32.to_be_bytes());
        crowded.resize(4_000, 0);
        assert!(of(&crowded).is_none(), "tags");
        for length in 0..profile.len().min(400) {
            assert!(of(&profile[..length]).is_none_or(|colours| !colours.are_srgb()), "{length}");
        }
        let long = [profile, vec![0; 4 * 1024 * 1024]].concat();
        assert!(of(&long).is_none(), "too long");
    }

    #[test]
    fn texts_of_a_profile_are_not_read() {
        let profile = display_p3();
        let at = profile.windows(4).position(|tag| tag == b"desc").unwrap();
        let plain = without_other_tags(&profile).unwrap();
        assert_eq!(plain[at..at + 4], [0; 4]);
        let at = profile.windows(4).position(|tag| tag == b"rTRC").unwrap();
        assert_eq!(&plain[at..at + 4], b"rTRC");
    }

    #[test]
    fn code_points_are_colours() {
        let of = |points: [u8; 4]| Colours::of_code_points(&points, ColourModel::Rgb).map(|colours| colours.are_srgb());
        assert_eq!(of([1, 13, 0, 1]), Some(true));
        assert_eq!(of([12, 13, 0, 1]), Some(false));
        for points in
            [[9, 16, 0, 1], [9, 18, 0, 1], [12, 13, 0, 0], [12, 13, 1, 1], [2, 13, 0, 1], [12, 2, 0, 1], [99, 99, 0, 1]]
        {
            assert_eq!(of(points), None, "{points:?}");
        }
    }

    #[test]
    fn gamma_and_chromaticities_are_colours_unless_they_stand_for_srgb() {
        let srgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
        let adobe = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
        let is_converted = |gamma, points| Colours::of_gamma(gamma, points, ColourModel::Rgb).is_some();
        assert!(!is_converted(45_455, None) && !is_converted(45_455, Some(srgb)));
        assert!(is_converted(100_000, None) && is_converted(100_000, Some(srgb)) && is_converted(45_455, Some(adobe)));
        assert!(Colours::of_gamma(100_000, None, ColourModel::Grey).is_some());
        for gamma in [0, 1, u32::MAX] {
            assert!(!is_converted(gamma, None), "{gamma}");
        }
        for points in [[0; 8], [u32::MAX; 8], [33_333; 8]] {
            assert!(!is_converted(100_000, Some(points)), "{points:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_profile_is_read_without_a_panic(
            flips in proptest::collection::vec((0usize..700, 0u8..), 1..12),
            is_grey: bool,
        ) {
            let profile = if is_grey { ColorProfile::new_gray_with_gamma(1.8) } else { ColorProfile::new_display_p3() };
            let mut profile = profile.encode().unwrap();
            for (at, value) in flips {
                if let Some(byte) = profile.get_mut(at) {
                    *byte = value;
                }
            }
            for model in [ColourModel::Grey, ColourModel::Rgb, ColourModel::Inks] {
                let _ = Colours::of_profile(&profile, model);
            }
        }

        #[test]
        fn any_numbers_are_read_without_a_panic(gamma: u32, points: [u32; 8], code_points: [u8; 4]) {
            let _ = Colours::of_gamma(gamma, Some(points), ColourModel::Rgb);
            let _ = Colours::of_gamma(gamma % 300_000, Some(points.map(|one| one % 100_000)), ColourModel::Rgb);
            let _ = Colours::of_code_points(&code_points, ColourModel::Rgb);
        }
    }
}
