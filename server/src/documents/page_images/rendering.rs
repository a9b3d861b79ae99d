//! Renders a page with hayro, over the bytes of one PDF.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::font::{FontData, FontQuery};
use hayro::hayro_interpret::hayro_cmap::CidFamily;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::Pixmap;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{RenderCache, RenderSettings};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbaImage};

use super::job::{ImageSize, PageJob, PageReply};
use crate::documents::rules::MediaType;
use crate::pdf::CJK_FONT;

/// The units of a PDF in an inch.
const POINTS_PER_INCH: f32 = 72.0;

/// A PNG of more bytes may be a photo or a scan, of which a JPEG is a third as large.
const MAX_PNG_BYTES: usize = 512 * 1024;
/// The quality of such a JPEG: the loss is invisible, also enlarged.
const JPEG_QUALITY: u8 = 88;

/// The most pixels of an image, the most of its longer side, and the most dots per inch.
fn limits(size: ImageSize) -> (f32, f32, f32) {
    match size {
        ImageSize::Screen | ImageSize::Upload => (2_000_000.0, 4_000.0, 300.0),
        ImageSize::Fine => (12_000_000.0, 10_000.0, 600.0),
    }
}

/// The program whose child renders: this one.
pub(super) fn program(this: PathBuf) -> PathBuf {
    this
}

/// The reply to a job, and the bytes of the image.
pub(super) fn render(job: &PageJob, pdf: Bytes) -> (PageReply, Vec<u8>) {
    let refused = |reply| (reply, Vec::new());
    let Ok(pdf) = Pdf::new(Arc::new(pdf)) else { return refused(PageReply::Unreadable) };
    let pages = pdf.pages().len();
    if pages == 0 {
        return refused(PageReply::Unreadable);
    }
    let Some(page) = job.page.checked_sub(1).and_then(|index| pdf.pages().get(index)) else {
        return refused(PageReply::NoSuchPage { pages });
    };
    let (width, height) = page.render_dimensions();
    let Some((scale, width, height)) = pixels(width, height, job.size) else {
        return refused(PageReply::Unreadable);
    };
    let settings =
        RenderSettings { x_scale: scale, y_scale: scale, width: Some(width), height: Some(height), bg_color: WHITE };
    let interpreter = InterpreterSettings { font_resolver: Arc::new(font), ..InterpreterSettings::default() };
    let image = hayro::render(page, &RenderCache::new(), &interpreter, &settings);
    match encode(&image, job.size) {
        Some((media_type, content)) => (PageReply::Rendered { pages, media_type }, content),
        None => refused(PageReply::Unreadable),
    }
}

/// The scale of a page of that size in points, and the pixels of its image. None if the page has no size.
fn pixels(width: f32, height: f32, size: ImageSize) -> Option<(f32, u16, u16)> {
    let (most, longest, dots_per_inch) = limits(size);
    let by_area = (most / (width * height)).sqrt();
    let scale = by_area.min(longest / width.max(height)).min(dots_per_inch / POINTS_PER_INCH);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and `longest`")]
    let side = |points: f32| (points * scale).round().clamp(1.0, longest) as u16;
    (scale.is_finite() && scale > 0.0).then(|| (scale, side(width), side(height)))
}

/// The font for text whose font is not in the PDF.
fn font(query: &FontQuery) -> Option<(FontData, u32)> {
    let standard = match query {
        FontQuery::Standard(font) => *font,
        FontQuery::Fallback(query) => {
            let family = query.character_collection.as_ref().map(|collection| &collection.family);
            let is_cjk = matches!(
                family,
                Some(CidFamily::AdobeGB1 | CidFamily::AdobeCNS1 | CidFamily::AdobeJapan1 | CidFamily::AdobeKorea1)
            );
            if is_cjk {
                return Some((Arc::new(CJK_FONT), 0));
            }
            query.pick_standard_font()
        }
    };
    Some(standard.get_font_data())
}

/// Encodes an opaque image: without loss while that is small and any image will do.
fn encode(image: &Pixmap, size: ImageSize) -> Option<(MediaType, Vec<u8>)> {
    let is_grey = image.data().iter().all(|pixel| pixel.r == pixel.g && pixel.g == pixel.b);
    let samples = image.data_as_u8_slice().to_vec();
    let image = DynamicImage::from(RgbaImage::from_raw(image.width().into(), image.height().into(), samples)?);
    let image: DynamicImage = if is_grey { image.into_luma8().into() } else { image.into_rgb8().into() };
    if size == ImageSize::Upload {
        return Some((MediaType::Jpeg, jpeg(&image)?));
    }
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    image.write_with_encoder(encoder).ok()?;
    if png.len() <= MAX_PNG_BYTES {
        return Some((MediaType::Png, png));
    }
    let jpeg = jpeg(&image)?;
    // Much small text is smaller as a PNG.
    Some(if jpeg.len() < png.len() { (MediaType::Jpeg, jpeg) } else { (MediaType::Png, png) })
}

fn jpeg(image: &DynamicImage) -> Option<Vec<u8>> {
    let mut jpeg = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)).ok()?;
    Some(jpeg)
}

#[cfg(test)]
mod tests {
    use hayro::vello_cpu::color::PremulRgba8;

    use super::*;

    #[test]
    fn a_grey_image_keeps_each_shade() {
        let shades: Vec<u8> = (0..=255).collect();
        let pixels = shades.iter().map(|shade| PremulRgba8 { r: *shade, g: *shade, b: *shade, a: 255 });
        let (media_type, png) =
            encode(&Pixmap::from_parts(pixels.collect(), 256, 1), ImageSize::Fine).expect("an image");
        let decoded = image::load_from_memory(&png).expect("a PNG");
        assert_eq!((media_type, decoded.color()), (MediaType::Png, image::ColorType::L8));
        assert_eq!(decoded.into_luma8().into_raw(), shades);
    }
}
