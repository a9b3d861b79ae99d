//! Finds the machine-readable zone of a passport in the picture of its page: two dense lines of print, wherever and at whatever angle
//! they lie.

use crate::grey::{Grey, whole};
use crate::lines::{self, Lines};

/// The width at which bands of print are looked for.
const SMALL: usize = 640;
/// The width of a strip that is cut out: some 30 pixels for each letter.
const STRIP: usize = 1_500;
/// The most bands that are looked at, of one orientation and thickness.
const BANDS: usize = 4;

/// A zone that was found.
pub struct Zone {
    /// The strip, straight and upright.
    pub strip: Grey,
    pub lines: Lines,
}

/// Looks for zones, the best first.
pub fn find(page: &Grey) -> Vec<Zone> {
    let page = page.stretched();
    let mut found: Vec<Zone> = Vec::new();
    'search: for quarters in [0, 1] {
        let page = page.turned(quarters);
        let scale = (page.width as f32 / SMALL as f32).max(1.0);
        let small = page.resized(whole(page.width as f32 / scale), whole(page.height as f32 / scale));
        for reach in [2, 5, 9] {
            for band in bands(&small, reach).into_iter().take(BANDS) {
                let centre = (band.centre.0 * scale, band.centre.1 * scale);
                // High enough for both lines, whichever of them the band is.
                let size = (band.length * scale * 1.1, (band.thickness * scale * 1.5).max(band.length * scale / 5.5));
                let strip = page.strip(centre, band.slope, size, STRIP);
                for halves in [0, 2] {
                    let strip = strip.turned(halves);
                    if let Some(lines) = lines::find(&strip) {
                        found.push(Zone { strip, lines });
                    }
                }
            }
            if found.iter().any(|zone| zone.lines.is_sure()) {
                break 'search;
            }
        }
    }
    found.sort_by(|a, b| b.lines.score.total_cmp(&a.lines.score));
    found.truncate(3);
    found
}

/// A long, thin region of dense print.
struct Band {
    centre: (f32, f32),
    slope: f32,
    length: f32,
    thickness: f32,
}

/// The bands of the picture, the longest first. `reach` is how far apart, in pixels, lines may lie that belong together.
fn bands(page: &Grey, reach: usize) -> Vec<Band> {
    let edges = edges(page);
    let blurred = blur(&blur(&edges, 12, false), reach, true);
    let threshold = blurred.threshold().max(8);
    let mut seen = vec![false; blurred.pixels.len()];
    let mut bands = Vec::new();
    for start in 0..blurred.pixels.len() {
        if seen[start] || blurred.pixels[start] <= threshold {
            continue;
        }
        let region = region(&blurred, start, threshold, &mut seen);
        if let Some(band) = band_of(&region, page.width) {
            bands.push(band);
        }
    }
    bands.sort_by(|a, b| b.length.total_cmp(&a.length));
    bands
}

/// How much each pixel differs from its neighbour to the left: print alternates, photographs and paper do not.
fn edges(page: &Grey) -> Grey {
    let mut edges = Grey::blank(page.width, page.height, 0);
    for y in 0..page.height {
        for x in 1..page.width {
            let at = y * page.width + x;
            edges.pixels[at] = page.pixels[at].abs_diff(page.pixels[at - 1]);
        }
    }
    edges
}

/// The mean over `reach` pixels on both sides, along rows or columns.
fn blur(image: &Grey, reach: usize, along_columns: bool) -> Grey {
    let (lines, length) = if along_columns { (image.width, image.height) } else { (image.height, image.width) };
    let place = |line: usize, at: usize| if along_columns { at * image.width + line } else { line * image.width + at };
    let mut blurred = Grey::blank(image.width, image.height, 0);
    let window = u32::try_from(2 * reach + 1).unwrap_or(u32::MAX);
    for line in 0..lines {
        let mut sum = 0_u32;
        for at in 0..length + reach {
            if at < length {
                sum += u32::from(image.pixels[place(line, at)]);
            }
            if at > 2 * reach {
                sum -= u32::from(image.pixels[place(line, at - 2 * reach - 1)]);
            }
            if at >= reach {
                blurred.pixels[place(line, at - reach)] = u8::try_from(sum / window).unwrap_or(u8::MAX);
            }
        }
    }
    blurred
}

/// The places of the region that `start` belongs to.
fn region(image: &Grey, start: usize, threshold: u8, seen: &mut [bool]) -> Vec<(usize, usize)> {
    let mut region = Vec::new();
    let mut waiting = vec![start];
    seen[start] = true;
    while let Some(at) = waiting.pop() {
        let (x, y) = (at % image.width, at / image.width);
        region.push((x, y));
        let mut visit = |at: usize| {
            if !seen[at] && image.pixels[at] > threshold {
                seen[at] = true;
                waiting.push(at);
            }
        };
        if x > 0 {
            visit(at - 1);
        }
        if x + 1 < image.width {
            visit(at + 1);
        }
        if y > 0 {
            visit(at - image.width);
        }
        if y + 1 < image.height {
            visit(at + image.width);
        }
    }
    region
}

/// The region as a band, by its principal axes. None if it is not long and thin.
fn band_of(region: &[(usize, usize)], width: usize) -> Option<Band> {
    let count = region.len() as f32;
    if region.len() < width {
        return None;
    }
    let mean = |of: fn(&(usize, usize)) -> usize| region.iter().map(|place| of(place) as f32).sum::<f32>() / count;
    let (x, y) = (mean(|place| place.0), mean(|place| place.1));
    let (mut across, mut down, mut both) = (0.0, 0.0, 0.0);
    for place in region {
        let (right, below) = (place.0 as f32 - x, place.1 as f32 - y);
        across += right * right / count;
        down += below * below / count;
        both += right * below / count;
    }
    let angle = 0.5 * (2.0 * both).atan2(across - down);
    if angle.abs() > 0.45 {
        return None;
    }
    let (sin, cos) = angle.sin_cos();
    let mut along = (f32::MAX, f32::MIN);
    let mut aside = (f32::MAX, f32::MIN);
    for place in region {
        let (right, below) = (place.0 as f32 - x, place.1 as f32 - y);
        let (far, off) = (right * cos + below * sin, below * cos - right * sin);
        along = (along.0.min(far), along.1.max(far));
        aside = (aside.0.min(off), aside.1.max(off));
    }
    let (length, thickness) = (along.1 - along.0, aside.1 - aside.0);
    let is_band = length > width as f32 * 0.25 && length > thickness * 4.0;
    let (middle, off) = (f32::midpoint(along.0, along.1), f32::midpoint(aside.0, aside.1));
    let centre = (x + middle * cos - off * sin, y + middle * sin + off * cos);
    is_band.then(|| Band { centre, slope: angle.tan(), length, thickness })
}
