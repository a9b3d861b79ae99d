//! The two lines of a machine-readable zone in a strip: each has 44 cells of one width. A cell with a filler (`<`) is recognised by its
//! shape, because Tesseract takes rows of fillers for letters.

use crate::grey::{Grey, whole};

/// The letters of a line.
pub const CELLS: usize = 44;
/// The height of a letter for Tesseract, in pixels.
const LETTER: usize = 34;

/// What a cell holds, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Letter,
    Filler,
    Empty,
}

/// Two lines of cells.
#[derive(Clone, Debug)]
pub struct Lines {
    pub cells: [Vec<Cell>; 2],
    /// How well they fit, from 0.
    pub score: f32,
    grid: Grid,
    rows: [(usize, usize); 2],
}

/// Where cells begin: `start`, and so many pixels each.
#[derive(Clone, Copy, Debug)]
struct Grid {
    start: f32,
    pitch: f32,
}

impl Grid {
    fn edges(self, cell: usize) -> (usize, usize) {
        let edge = |cell: usize| whole(self.start + self.pitch * cell as f32);
        (edge(cell), edge(cell + 1))
    }
}

impl Lines {
    /// Whether nothing else in the picture fits as well.
    pub fn is_sure(&self) -> bool {
        self.score > 0.9
    }

    /// Both lines for Tesseract: their letters alone, on white.
    pub fn drawn(&self, strip: &Grey, letter: usize) -> Grey {
        let clean = strip.flattened();
        let high = self.rows.map(|(top, bottom)| bottom - top);
        let scale = letter as f32 / f32::midpoint(high[0] as f32, high[1] as f32);
        let width = whole(self.grid.pitch * CELLS as f32 * scale) + 4 * letter;
        let mut drawn = Grey::blank(width, 6 * letter, 255);
        for (line, (top, bottom)) in self.rows.into_iter().enumerate() {
            let margin = (bottom - top) / 6;
            let (top, bottom) = (top.saturating_sub(margin), (bottom + margin).min(clean.height));
            for (cell, holds) in self.cells[line].iter().enumerate() {
                if *holds != Cell::Letter {
                    continue;
                }
                let (left, right) = self.grid.edges(cell);
                let part = clean.part((left, right.min(clean.width)), (top, bottom));
                let (wide, tall) = (whole(part.width as f32 * scale), whole(part.height as f32 * scale));
                let place = (2 * letter + whole(self.grid.pitch * cell as f32 * scale), letter + line * 5 * letter / 2);
                drawn.draw(&part.resized(wide, tall), place);
            }
        }
        drawn
    }
}

impl Grey {
    /// A rectangle of the picture.
    fn part(&self, columns: (usize, usize), rows: (usize, usize)) -> Self {
        let mut part =
            Self::blank(columns.1.saturating_sub(columns.0).max(1), rows.1.saturating_sub(rows.0).max(1), 255);
        for y in 0..part.height {
            for x in 0..part.width {
                if columns.0 + x < self.width {
                    part.pixels[y * part.width + x] = self.at(columns.0 + x, rows.0 + y);
                }
            }
        }
        part
    }

    /// Draws `other` over this one.
    fn draw(&mut self, other: &Self, at: (usize, usize)) {
        for y in 0..other.height {
            for x in 0..other.width {
                if at.0 + x < self.width && at.1 + y < self.height {
                    let place = &mut self.pixels[(at.1 + y) * self.width + at.0 + x];
                    *place = (*place).min(other.at(x, y));
                }
            }
        }
    }
}

/// The height of a letter in the first and in the second reading: two sizes, so that a mistake of one is not one of the other.
pub const READINGS: [usize; 2] = [LETTER, LETTER * 3 / 4];

/// Finds two lines of cells in a strip that may hold them upright.
pub fn find(strip: &Grey) -> Option<Lines> {
    let clean = strip.flattened();
    let ink = Ink::of(&clean);
    let rows = two_rows(&ink)?;
    let grid = fit(&ink, rows)?;
    let cells = rows.map(|row| (0..CELLS).map(|cell| cell_of(&ink, grid.edges(cell), row)).collect::<Vec<_>>());
    let score = score(&cells)?;
    Some(Lines { cells, score, grid, rows })
}

/// Which pixels are ink.
struct Ink {
    width: usize,
    height: usize,
    is_ink: Vec<bool>,
}

impl Ink {
    fn of(clean: &Grey) -> Self {
        let threshold = clean.threshold();
        let is_ink = clean.pixels.iter().map(|shade| *shade <= threshold).collect();
        Self { width: clean.width, height: clean.height, is_ink }
    }

    fn at(&self, x: usize, y: usize) -> bool {
        x < self.width && self.is_ink[y * self.width + x]
    }
}

/// The rows of the two lowest bands of ink that look like lines of one height.
fn two_rows(ink: &Ink) -> Option<[(usize, usize); 2]> {
    let counts: Vec<usize> = (0..ink.height).map(|y| (0..ink.width).filter(|x| ink.at(*x, y)).count()).collect();
    let most = counts.iter().max().copied().unwrap_or(0);
    let limit = (most / 5).max(ink.width / 60);
    let mut bands: Vec<(usize, usize)> = Vec::new();
    let mut begun = None;
    for (y, count) in counts.iter().chain([&0]).enumerate() {
        match (begun, *count > limit) {
            (None, true) => begun = Some(y),
            (Some(top), false) => {
                bands.push((top, y));
                begun = None;
            }
            _ => {}
        }
    }
    let tall = |band: &(usize, usize)| (ink.width / 90..ink.width / 18).contains(&(band.1 - band.0));
    let bands: Vec<(usize, usize)> = bands.into_iter().filter(tall).collect();
    let pairs = bands.windows(2).rev().map(|pair| [pair[0], pair[1]]);
    let fits = |[first, second]: &[(usize, usize); 2]| {
        let (a, b) = (first.1 - first.0, second.1 - second.0);
        a * 2 > b && b * 2 > a && second.0 - first.1 < 3 * a.max(b)
    };
    pairs.into_iter().find(fits)
}

/// The grid whose borders hold the least ink, and whose cells the most.
fn fit(ink: &Ink, rows: [(usize, usize); 2]) -> Option<Grid> {
    // Ink up to each column, of both lines.
    let mut up_to = vec![0.0_f32; ink.width + 1];
    for x in 0..ink.width {
        let column: usize = rows.iter().map(|(top, bottom)| (*top..*bottom).filter(|y| ink.at(x, *y)).count()).sum();
        up_to[x + 1] = up_to[x] + column as f32;
    }
    let all = up_to[ink.width];
    let inside = |from: f32, to: f32| {
        let (from, to) = (whole(from).min(ink.width), whole(to).min(ink.width));
        up_to[to] - up_to[from.min(to)]
    };
    let width = ink.width as f32;
    let mut best: Option<(f32, Grid)> = None;
    let mut pitch = width * 0.5 / CELLS as f32;
    while pitch * CELLS as f32 <= width * 1.01 {
        let mut start = 0.0;
        while start + pitch * CELLS as f32 <= width * 1.01 {
            let covered = inside(start, start + pitch * CELLS as f32);
            let borders: f32 = (0..=CELLS)
                .map(|cell| {
                    let border = start + pitch * cell as f32;
                    inside(border - pitch * 0.1, border + pitch * 0.1)
                })
                .sum();
            // A cell without any ink is none: that tells grids apart that lie one cell too far.
            let empty = (0..CELLS)
                .filter(|cell| {
                    let left = start + pitch * *cell as f32;
                    inside(left + pitch * 0.15, left + pitch * 0.85) < pitch * 0.2
                })
                .count();
            let score = covered / all - 3.0 * borders / all - 0.03 * empty as f32;
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, Grid { start, pitch }));
            }
            start += pitch / 8.0;
        }
        pitch *= 1.0025;
    }
    best.filter(|(score, _)| *score > 0.2).map(|(_, grid)| grid)
}

/// What a cell holds. A filler is a stroke from the upper right to the middle of the left and back to the lower right.
fn cell_of(ink: &Ink, (left, right): (usize, usize), (top, bottom): (usize, usize)) -> Cell {
    let inside = |x: usize, y: usize| ink.at(x, y);
    let all: Vec<(usize, usize)> =
        (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))).filter(|(x, y)| inside(*x, *y)).collect();
    if all.len() < (right - left) {
        return Cell::Empty;
    }
    let bounds = |of: fn(&(usize, usize)) -> usize| {
        let sorted = all.iter().map(of);
        (sorted.clone().min().unwrap_or(0), sorted.max().unwrap_or(0) + 1)
    };
    let (x0, x1) = bounds(|place| place.0);
    let (y0, y1) = bounds(|place| place.1);
    let (wide, high) = (x1 - x0, y1 - y0);
    if wide * 3 < (right - left) || high * 5 < (bottom - top) * 2 {
        return Cell::Letter;
    }
    // The middle of the ink in the upper, middle and lower fifth, from 0 at the left to 1 at the right; and how much of the row is ink.
    let part = |from: usize, to: usize| {
        let (from, to) = (y0 + high * from / 10, y0 + (high * to).div_ceil(10));
        let (mut sum, mut count) = (0, 0_usize);
        for y in from..to {
            for x in (x0..x1).filter(|x| inside(*x, y)) {
                sum += x - x0;
                count += 1;
            }
        }
        let rows = (to - from).max(1);
        (sum as f32 / count.max(1) as f32 / wide as f32, count as f32 / (rows * wide) as f32)
    };
    let (upper, upper_filled) = part(0, 2);
    let (middle, middle_filled) = part(4, 6);
    let (lower, lower_filled) = part(8, 10);
    let opens_right = upper - middle > 0.28 && lower - middle > 0.28 && middle < 0.42 && upper > 0.55 && lower > 0.55;
    let is_thin = upper_filled < 0.62 && lower_filled < 0.62 && middle_filled < 0.75;
    if opens_right && is_thin { Cell::Filler } else { Cell::Letter }
}

/// How well cells fit a machine-readable zone of a passport: names end in fillers, the second line begins with 28 cells that are mostly
/// letters. None if they do not.
fn score(cells: &[Vec<Cell>; 2]) -> Option<f32> {
    let count = |cells: &[Cell], wanted: Cell| cells.iter().filter(|cell| **cell == wanted).count();
    let [first, second] = cells;
    let empty = count(first, Cell::Empty) + count(second, Cell::Empty);
    let separators = first.windows(2).skip(5).filter(|two| two == &[Cell::Filler, Cell::Filler]).count();
    let letters = count(&second[..28], Cell::Letter);
    let starts = first[0] == Cell::Letter && second[0] == Cell::Letter && second[CELLS - 1] == Cell::Letter;
    if !starts || separators == 0 || letters < 20 || empty > 6 {
        return None;
    }
    // Few passports have a personal number that fills its field.
    let is_full = count(second, Cell::Filler) == 0;
    Some(1.0 - empty as f32 / 12.0 - (28 - letters) as f32 / 40.0 - if is_full { 0.2 } else { 0.0 })
}
