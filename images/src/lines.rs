//! The two lines of a machine-readable zone in a strip: each has 44 cells of one width. A cell with a filler (`<`) is recognised by its
//! shape, because Tesseract takes rows of fillers for letters.

use std::ops::RangeInclusive;

use crate::grey::{Grey, whole};

/// The letters of a line.
pub const CELLS: usize = 44;
/// The height of a letter for Tesseract, in pixels.
const LETTER: usize = 34;

/// The heights of letters, in widths of a cell. OCR-B has 1.0.
const HEIGHTS: RangeInclusive<f32> = 0.8..=1.15;

/// A grid that fits so well is the right one.
const GOOD: f32 = 0.9;

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
    /// Of each line.
    grids: [Grid; 2],
    rows: [(usize, usize); 2],
}

/// The widths of the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellWidths {
    /// All cells of a line have one width.
    Even,
    /// Those at one end may be wider than those at the other.
    Uneven,
}

/// Where cells begin: `start`, and so many pixels each. Those in the middle lie `bulge` pixels farther to the right than in even cells.
#[derive(Clone, Copy, Debug)]
struct Grid {
    start: f32,
    pitch: f32,
    bulge: f32,
}

impl Grid {
    /// The left side of a cell.
    fn side(self, cell: usize) -> f32 {
        const HALF: f32 = CELLS as f32 / 2.0;
        let cell = cell as f32;
        self.start + self.pitch * cell + self.bulge * cell * (2.0 * HALF - cell) / (HALF * HALF)
    }

    fn edges(self, cell: usize) -> (usize, usize) {
        (whole(self.side(cell)), whole(self.side(cell + 1)))
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
        let pitch = f32::midpoint(self.grids[0].pitch, self.grids[1].pitch) * scale;
        let width = whole(pitch * CELLS as f32) + 4 * letter;
        let mut drawn = Grey::blank(width, 6 * letter, 255);
        for (line, (top, bottom)) in self.rows.into_iter().enumerate() {
            let margin = (bottom - top) / 6;
            let (top, bottom) = (top.saturating_sub(margin), (bottom + margin).min(clean.height));
            for (cell, holds) in self.cells[line].iter().enumerate() {
                if *holds != Cell::Letter {
                    continue;
                }
                let (left, right) = self.grids[line].edges(cell);
                let part = clean.part((left, right.min(clean.width)), (top, bottom));
                let (wide, tall) = (whole(part.width as f32 * scale), whole(part.height as f32 * scale));
                let place = (2 * letter + whole(pitch * cell as f32), letter + line * 5 * letter / 2);
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

/// The height of a letter in the first, the second and the third reading: sizes of their own, so that they make other mistakes.
pub const READINGS: [usize; 3] = [LETTER, LETTER * 3 / 4, LETTER * 5 / 4];

/// Finds two lines of cells in a strip that may hold them upright.
pub fn find(strip: &Grey, widths: CellWidths) -> Option<Lines> {
    let clean = strip.flattened();
    let ink = Ink::of(&clean);
    let rows = two_rows(&ink)?;
    let grid = fit(&Columns::of(&ink, &rows), widths)?;
    let grids = rows.map(|row| refine(&Columns::of(&ink, &[row]), grid));
    let cells = [0, 1]
        .map(|line| (0..CELLS).map(|cell| cell_of(&ink, grids[line].edges(cell), rows[line])).collect::<Vec<_>>());
    let is_letter =
        |((top, bottom), grid): (&(usize, usize), Grid)| HEIGHTS.contains(&((bottom - top) as f32 / grid.pitch));
    // Lines that are bent or not level are higher than letters, or only their middle counts.
    let uneven = if rows.iter().zip(grids).all(is_letter) { 0.0 } else { 0.3 };
    let fits = [0, 1].map(|line| Columns::of(&ink, &[rows[line]]).score(grids[line]));
    let loose = fits.into_iter().filter(|fit| *fit < GOOD).map(|fit| 1.0 - fit).fold(0.0, f32::max);
    let score = score(&cells)? - uneven - loose;
    Some(Lines { cells, score, grids, rows })
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

/// The ink of lines, summed from the left to each column.
struct Columns(Vec<f32>);

impl Columns {
    fn of(ink: &Ink, rows: &[(usize, usize)]) -> Self {
        let mut up_to = vec![0.0_f32; ink.width + 1];
        for x in 0..ink.width {
            let column: usize =
                rows.iter().map(|(top, bottom)| (*top..*bottom).filter(|y| ink.at(x, *y)).count()).sum();
            up_to[x + 1] = up_to[x] + column as f32;
        }
        Self(up_to)
    }

    fn width(&self) -> f32 {
        (self.0.len() - 1) as f32
    }

    fn inside(&self, from: f32, to: f32) -> f32 {
        let last = self.0.len() - 1;
        let (from, to) = (whole(from).min(last), whole(to).min(last));
        self.0[to] - self.0[from.min(to)]
    }

    /// The fit of a grid: its borders have the least ink, and its cells the most.
    fn score(&self, grid: Grid) -> f32 {
        let all = self.inside(0.0, self.width());
        let covered = self.inside(grid.side(0), grid.side(CELLS));
        let reach = grid.pitch * 0.1;
        let borders: f32 = (0..=CELLS).map(|cell| self.inside(grid.side(cell) - reach, grid.side(cell) + reach)).sum();
        // A cell without any ink is none: that tells grids apart that lie one cell too far.
        let is_empty = |cell: &usize| {
            let left = grid.side(*cell);
            self.inside(left + grid.pitch * 0.15, left + grid.pitch * 0.85) < grid.pitch * 0.2
        };
        let empty = (0..CELLS).filter(is_empty).count();
        covered / all - 3.0 * borders / all - 0.03 * empty as f32
    }
}

/// The grid that fits both lines best.
fn fit(columns: &Columns, widths: CellWidths) -> Option<Grid> {
    // A strip of uneven cells ends where print does.
    let least = if widths == CellWidths::Even { 0.5 } else { 0.7 };
    let mut best = best_of(columns, least, &[0.0]);
    if widths == CellWidths::Uneven && best.is_none_or(|(score, _)| score < GOOD) {
        best = best_of(columns, least, &[0.3, -0.3, 0.6, -0.6, 0.9, -0.9])
            .into_iter()
            .chain(best)
            .max_by(|a, b| a.0.total_cmp(&b.0));
    }
    best.filter(|(score, _)| *score > 0.2).map(|(_, grid)| grid)
}

/// The best grid with one of these bulges, in widths of a cell, that covers at least a part of the strip, and how well it fits.
fn best_of(columns: &Columns, least: f32, bulges: &[f32]) -> Option<(f32, Grid)> {
    let width = columns.width();
    let mut best: Option<(f32, Grid)> = None;
    let mut pitch = width * least / CELLS as f32;
    while pitch * CELLS as f32 <= width * 1.01 {
        let mut start = 0.0;
        while start + pitch * CELLS as f32 <= width * 1.01 {
            for bulge in bulges {
                let grid = Grid { start, pitch, bulge: bulge * pitch };
                let score = columns.score(grid);
                if best.is_none_or(|(known, _)| score > known) {
                    best = Some((score, grid));
                }
            }
            start += pitch / 8.0;
        }
        pitch *= 1.0025;
    }
    best
}

/// The grid of one line, near that of both.
fn refine(columns: &Columns, both: Grid) -> Grid {
    let mut best = (columns.score(both), both);
    for step in [both.pitch / 8.0, both.pitch / 16.0] {
        // Its left end, its right end and its middle move by themselves.
        let moves = [(1.0, -1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)];
        for _ in 0..6 {
            let known = best.0;
            for (start, length, bulge) in moves {
                for by in [step, -step] {
                    let mut grid = best.1;
                    grid.start += by * start;
                    grid.pitch += by * length / CELLS as f32;
                    grid.bulge += by * bulge;
                    let ends = [grid.side(0) - both.side(0), grid.side(CELLS) - both.side(CELLS)];
                    let score = columns.score(grid);
                    if score > best.0 && ends.iter().all(|moved| moved.abs() < both.pitch * 0.6) {
                        best = (score, grid);
                    }
                }
            }
            if best.0 <= known {
                break;
            }
        }
    }
    best.1
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
