//! Finds the machine-readable zone of a passport in the picture of its page: two dense lines of print, wherever and at whatever angle
//! they lie.

use crate::grey::{Grey, whole};
use crate::lines::{self, CellWidths, Lines};
use crate::ribbon::{self, Ribbon};

/// The width at which bands of print are looked for.
const SMALL: usize = 640;
/// The distances, in pixels of that width, of lines that belong together.
const REACHES: [usize; 3] = [2, 5, 9];
/// The width of a strip that is cut out: some 30 pixels for each letter.
const STRIP: usize = 1_500;
/// The most bands that are looked at, of one orientation and thickness.
const BANDS: usize = 4;
/// The least longest side of a page.
const LEAST: usize = 1_600;

/// A zone that was found.
pub struct Zone {
    /// The strip, straight and upright.
    pub strip: Grey,
    pub lines: Lines,
}

/// Looks for zones, the best first.
pub fn find(page: &Grey) -> Vec<Zone> {
    let page = page.enlarged(LEAST).stretched();
    let mut found = straight(&page);
    if !found.iter().any(|zone| zone.lines.is_sure()) {
        found.extend(followed(&page));
    }
    found.sort_by(|a, b| b.lines.score.total_cmp(&a.lines.score));
    found.truncate(3);
    found
}

/// Zones that are straight, and nearly parallel to a side of the page.
fn straight(page: &Grey) -> Vec<Zone> {
    const STEEPEST: f32 = 0.45;
    let mut found: Vec<Zone> = Vec::new();
    for degrees in [0.0_f32, -90.0] {
        let side = if degrees == 0.0 { page.width } else { page.height };
        let shrunk = Shrunk::of(page, side as f32 / SMALL as f32).turned(degrees.to_radians());
        for reach in REACHES {
            for band in shrunk.bands(reach, STEEPEST).into_iter().take(BANDS) {
                // High enough for both lines, whichever of them the band is.
                let size = (band.length * 1.1, (band.thickness * 1.5).max(band.length / 5.5));
                let cut = Cut { centre: band.centre, angle: band.angle, size };
                let strip = cut.strip(page);
                found.extend(upright(&strip, CellWidths::Even));
            }
            if found.iter().any(|zone| zone.lines.is_sure()) {
                return found;
            }
        }
    }
    found
}

/// Zones at any angle, whose lines may be bent or run together.
fn followed(page: &Grey) -> Vec<Zone> {
    /// Angles in degrees, the likeliest first: each finds what is nearer to it than to the others.
    const ANGLES: [&[f32]; 3] = [&[0.0, 90.0], &[15.0, -15.0, 75.0, -75.0], &[30.0, -30.0, 60.0, -60.0, 45.0, -45.0]];
    const STEEPEST: f32 = 0.2;
    /// The most bands that are followed for some angles, and the most of them in which cells are looked for.
    const FOLLOWED: usize = 4;
    const CELLS: usize = 2;
    let shrunk = Shrunk::of(page, ((page.width * page.height) as f32).sqrt() / SMALL as f32);
    let mut found: Vec<Zone> = Vec::new();
    for angles in ANGLES {
        let mut bands: Vec<Band> = Vec::new();
        for degrees in angles {
            let turned = shrunk.turned(degrees.to_radians());
            for band in REACHES.into_iter().flat_map(|reach| turned.bands(reach, STEEPEST).into_iter().take(2)) {
                if !bands.iter().any(|known| known.is_near(&band)) {
                    bands.push(band);
                }
            }
        }
        bands.sort_by(|a, b| b.length.total_cmp(&a.length));
        let follow = |band: Band| {
            let size = (band.length * 1.2, (band.thickness * 1.5).max(band.length / 3.5));
            let cut = Cut { centre: band.centre, angle: band.angle, size };
            let ribbon = ribbon::follow(&cut.strip(page))?;
            let is_long = ribbon.ends.1 - ribbon.ends.0 > STRIP as f32 * 0.4;
            is_long.then_some((cut, ribbon))
        };
        let mut ribbons: Vec<(Cut, Ribbon)> = bands.into_iter().take(FOLLOWED).filter_map(follow).collect();
        ribbons.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        for (cut, ribbon) in ribbons.into_iter().take(CELLS) {
            found.extend(upright(&cut.straightened(page, &ribbon), CellWidths::Uneven));
            if found.iter().any(|zone| zone.lines.is_sure()) {
                return found;
            }
        }
    }
    found
}

/// The zones in a strip, which may be upside down.
fn upright(strip: &Grey, widths: CellWidths) -> impl Iterator<Item = Zone> {
    [0, 2].into_iter().filter_map(move |halves| {
        let strip = strip.turned(halves);
        lines::find(&strip, widths).map(|lines| Zone { strip, lines })
    })
}

/// A part of the page around `centre`, turned by an angle to the right.
#[derive(Clone, Copy)]
struct Cut {
    centre: (f32, f32),
    angle: f32,
    size: (f32, f32),
}

impl Cut {
    /// The number of pixels of the page for each of the strip.
    fn scale(&self) -> f32 {
        self.size.0 / STRIP as f32
    }

    fn height(&self) -> usize {
        whole(self.size.1 / self.scale()).max(1)
    }

    /// Returns the place on the page of a place in the strip.
    fn on_page(&self) -> impl Fn(f32, f32) -> (f32, f32) {
        let (sin, cos) = self.angle.sin_cos();
        let (centre, scale) = (self.centre, self.scale());
        let middle = (STRIP as f32 / 2.0, self.height() as f32 / 2.0);
        move |x, y| {
            let (right, down) = ((x - middle.0) * scale, (y - middle.1) * scale);
            (centre.0 + right * cos - down * sin, centre.1 + right * sin + down * cos)
        }
    }

    /// The part as it is.
    fn strip(&self, page: &Grey) -> Grey {
        page.sampled((STRIP, self.height()), self.on_page())
    }

    /// The part with its lines straight and parallel.
    fn straightened(&self, page: &Grey, ribbon: &Ribbon) -> Grey {
        /// The height of the strip, in distances of its lines.
        const HIGH: f32 = 2.6;
        /// The paper before and behind them, as a part of their length.
        const BESIDE: f32 = 0.04;
        let length = ribbon.ends.1 - ribbon.ends.0;
        let on_page = self.on_page();
        // What is nearer is larger in both directions (a projection of a plane).
        let along = |part: f32| ribbon.ends.0 + length * part / (ribbon.growth + (1.0 - ribbon.growth) * part);
        let scale = length * (1.0 + 2.0 * BESIDE) / STRIP as f32;
        let distance = ribbon.distance / scale;
        page.sampled((STRIP, whole(distance * HIGH)), |x, y| {
            let x = along(x / STRIP as f32 * (1.0 + 2.0 * BESIDE) - BESIDE);
            let [upper, lower] = ribbon.at(x);
            let down = y / distance - (HIGH - 1.0) / 2.0;
            on_page(x, upper + (lower - upper) * down)
        })
    }
}

/// A page, made smaller, in which bands are looked for.
struct Shrunk {
    small: Grey,
    scale: f32,
    /// By which it was turned to the left.
    angle: f32,
    page: (f32, f32),
}

impl Shrunk {
    fn of(page: &Grey, scale: f32) -> Self {
        let scale = scale.max(1.0);
        let (width, height) = (page.width as f32, page.height as f32);
        let small = page.resized(whole(width / scale), whole(height / scale));
        Self { small, scale, angle: 0.0, page: (width, height) }
    }

    fn turned(&self, angle: f32) -> Self {
        Self { small: self.small.turned_by(angle), angle, ..*self }
    }

    /// The bands that are no steeper, at their places on the page, the longest first. `reach` is how far apart, in pixels, lines may lie that
    /// belong together.
    fn bands(&self, reach: usize, steepest: f32) -> Vec<Band> {
        let (sin, cos) = self.angle.sin_cos();
        let middle = (self.small.width as f32 / 2.0, self.small.height as f32 / 2.0);
        let on_page = |band: Band| {
            let (x, y) = ((band.centre.0 - middle.0) * self.scale, (band.centre.1 - middle.1) * self.scale);
            let centre = (self.page.0 / 2.0 + x * cos - y * sin, self.page.1 / 2.0 + x * sin + y * cos);
            let (length, thickness) = (band.length * self.scale, band.thickness * self.scale);
            Band { centre, angle: band.angle + self.angle, length, thickness }
        };
        bands(&self.small, reach).into_iter().filter(|band| band.angle.abs() <= steepest).map(on_page).collect()
    }
}

/// A long, thin region of dense print.
struct Band {
    centre: (f32, f32),
    /// To the right.
    angle: f32,
    length: f32,
    thickness: f32,
}

impl Band {
    /// Returns true if both are the same print.
    fn is_near(&self, other: &Self) -> bool {
        let far = (self.centre.0 - other.centre.0).hypot(self.centre.1 - other.centre.1);
        let turned = (self.angle - other.angle).sin().abs();
        far < 0.04 * self.length && turned < 0.03 && (self.length - other.length).abs() < 0.1 * self.length
    }
}

/// The bands of the picture, the longest first.
fn bands(page: &Grey, reach: usize) -> Vec<Band> {
    let edges = page.edges();
    let blurred = blur(&blur(&edges, 12, false), reach, true);
    let threshold = blurred.threshold().max(8);
    let mut seen = vec![false; blurred.pixels.len()];
    let mut bands = Vec::new();
    for start in 0..blurred.pixels.len() {
        if seen[start] || blurred.pixels[start] <= threshold {
            continue;
        }
        let region = region(&blurred, start, threshold, &mut seen);
        if let Some(band) = band_of(&region) {
            bands.push(band);
        }
    }
    bands.sort_by(|a, b| b.length.total_cmp(&a.length));
    bands
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
fn band_of(region: &[(usize, usize)]) -> Option<Band> {
    let count = region.len() as f32;
    if region.len() < SMALL {
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
    let is_band = length > SMALL as f32 * 0.25 && length > thickness * 4.0;
    let (middle, off) = (f32::midpoint(along.0, along.1), f32::midpoint(aside.0, aside.1));
    let centre = (x + middle * cos - off * sin, y + middle * sin + off * cos);
    is_band.then_some(Band { centre, angle, length, thickness })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_any_size_are_searched_and_grain_is_no_zone() {
        for (width, height) in [(1, 1), (1, 900), (900, 1), (2, 3), (640, 9), (300, 200)] {
            let mut page = Grey::blank(width, height, 0);
            for (at, pixel) in page.pixels.iter_mut().enumerate() {
                *pixel = (at * at * 31 + at * 7).to_le_bytes()[1];
            }
            assert!(find(&page).is_empty(), "{width} x {height}");
        }
    }
}
