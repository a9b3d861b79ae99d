//! Follows two lines of print through a strip in which they may be bent, or nearer to each other at one end.

use crate::grey::{Grey, whole};

/// The factor by which the picture is smaller in which lines are followed: eight pixels for each letter.
const SHRINK: usize = 4;
/// The distance of the places at which the lines are looked for, in pixels of the small picture.
const STEP: usize = 5;
/// The print that counts at a place, in pixels on both sides of it.
const REACH: usize = 10;
/// The steepest slope, in notches, on both sides.
const NOTCHES: usize = 6;
const NOTCH: f32 = 0.1;
const SLOPES: usize = 2 * NOTCHES + 1;
/// The height of a letter, as a part of the distance of the lines.
const LETTER: f32 = 0.42;
/// The distances of the lines that are tried, in pixels of the small picture.
const DISTANCES: [usize; 5] = [10, 13, 16, 19, 22];

/// Two lines in a strip: the middles of their letters.
#[derive(Clone, Debug)]
pub struct Ribbon {
    /// The print in the lines above that beside them.
    pub score: f32,
    /// The beginning and the end of print, in pixels of the strip.
    pub ends: (f32, f32),
    /// The mean distance of the lines.
    pub distance: f32,
    /// The distance of the lines where print ends, as a part of that where it begins.
    pub growth: f32,
    lines: [Vec<f32>; 2],
}

impl Ribbon {
    /// The middles of both lines at a place of the strip.
    pub fn at(&self, x: f32) -> [f32; 2] {
        let step = (SHRINK * STEP) as f32;
        let place = (x / step - 0.5).max(0.0);
        let left = whole(place.floor());
        self.lines.each_ref().map(|line| {
            let last = line.len() - 1;
            let (first, second) = (line[left.min(last)], line[(left + 1).min(last)]);
            first + (second - first) * (place - place.floor())
        })
    }
}

/// Follows the two lines that have the most print. None if the strip is too small.
pub fn follow(strip: &Grey) -> Option<Ribbon> {
    let small = strip.resized(strip.width / SHRINK, strip.height / SHRINK);
    let print = Print::of(&small.edges());
    if print.places < 8 || print.height < DISTANCES[0] {
        return None;
    }
    let best = DISTANCES.into_iter().filter_map(|distance| print.path(distance));
    let path = best.max_by(|one, other| one.score.total_cmp(&other.score))?;
    let ribbon = print.ribbon(&path);
    (ribbon.distance > SHRINK as f32).then_some(ribbon)
}

/// The amount of print at each place, along each slope, summed from the top to each row.
struct Print {
    places: usize,
    height: usize,
    up_to: Vec<f32>,
}

/// The middle between the lines at each place.
struct RibbonPath {
    score: f32,
    distance: usize,
    rows: Vec<usize>,
    slopes: Vec<usize>,
}

fn slope_of(notch: usize) -> f32 {
    (notch as f32 - NOTCHES as f32) * NOTCH
}

impl Print {
    fn of(edges: &Grey) -> Self {
        let (places, height) = (edges.width / STEP, edges.height);
        let mut up_to = vec![0.0; places * SLOPES * (height + 1)];
        for place in 0..places {
            let middle = place * STEP + STEP / 2;
            let columns = middle.saturating_sub(REACH)..(middle + REACH + 1).min(edges.width);
            for notch in 0..SLOPES {
                let start = (place * SLOPES + notch) * (height + 1);
                for x in columns.clone() {
                    let lower = (slope_of(notch) * (x as f32 - middle as f32)).round();
                    for y in 0..height {
                        let from = y as f32 + lower;
                        if from >= 0.0 && from < height as f32 {
                            up_to[start + y + 1] += f32::from(edges.at(x, whole(from))) / columns.len() as f32;
                        }
                    }
                }
                for y in 0..height {
                    up_to[start + y + 1] += up_to[start + y];
                }
            }
        }
        Self { places, height, up_to }
    }

    /// The mean print between two rows.
    fn mean(&self, (place, notch): (usize, usize), from: f32, to: f32) -> f32 {
        let start = (place * SLOPES + notch) * (self.height + 1);
        let row = |y: f32| self.up_to[start + whole(y).min(self.height)];
        (row(to) - row(from)) / (to - from)
    }

    /// The print in a line above that beside it.
    fn line(&self, at: (usize, usize), middle: f32, distance: f32) -> f32 {
        let half = distance * LETTER / 2.0;
        let gap = distance * (1.0 - LETTER) * 0.7;
        let inside = self.mean(at, middle - half, middle + half);
        let above = self.mean(at, middle - half - gap, middle - half);
        let below = self.mean(at, middle + half, middle + half + gap);
        inside - f32::midpoint(above, below)
    }

    fn lines(&self, at: (usize, usize), middle: f32, distance: f32) -> f32 {
        self.line(at, middle - distance / 2.0, distance) + self.line(at, middle + distance / 2.0, distance)
    }

    /// The way through the strip with the most print in lines of that distance, whose slope changes little from place to place.
    fn path(&self, distance: usize) -> Option<RibbonPath> {
        let states = self.height * SLOPES;
        let mut scores = vec![f32::MIN; states];
        let mut from = vec![0_usize; states * self.places];
        for place in 0..self.places {
            let before = std::mem::replace(&mut scores, vec![f32::MIN; states]);
            for (row, notch) in (0..self.height).flat_map(|row| (0..SLOPES).map(move |notch| (row, notch))) {
                let state = row * SLOPES + notch;
                let (score, came_from) = if place == 0 { (0.0, state) } else { self.best_before(&before, row, notch) };
                scores[state] = score + self.lines((place, notch), row as f32 + 0.5, distance as f32);
                from[place * states + state] = came_from;
            }
        }
        let mut state = (0..states).max_by(|one, other| scores[*one].total_cmp(&scores[*other]))?;
        let score = scores[state] / self.places as f32;
        let (mut rows, mut slopes) = (vec![0; self.places], vec![0; self.places]);
        for place in (0..self.places).rev() {
            (rows[place], slopes[place]) = (state / SLOPES, state % SLOPES);
            state = from[place * states + state];
        }
        Some(RibbonPath { score, distance, rows, slopes })
    }

    /// The best way to a row and a slope, of those to the place before: its score, and the state from which it comes.
    fn best_before(&self, before: &[f32], row: usize, notch: usize) -> (f32, usize) {
        /// The cost of another slope, and of each row beside the slope, in shades of print.
        const TURN: f32 = 1.5;
        const JUMP: f32 = 3.0;
        let mut best = (f32::MIN, row * SLOPES + notch);
        for other in notch.saturating_sub(1)..(notch + 2).min(SLOPES) {
            let straight = row as f32 - f32::midpoint(slope_of(notch), slope_of(other)) * STEP as f32;
            let turn = if other == notch { 0.0 } else { TURN };
            for from in [straight.floor(), straight.floor() + 1.0] {
                if from < 0.0 || from >= self.height as f32 {
                    continue;
                }
                let state = whole(from) * SLOPES + other;
                let score = before[state] - turn - JUMP * (from - straight).abs();
                if score > best.0 {
                    best = (score, state);
                }
            }
        }
        best
    }

    /// Both lines of a path, each on its own course.
    fn ribbon(&self, path: &RibbonPath) -> Ribbon {
        let distance = path.distance as f32;
        let middles: Vec<f32> = path.rows.iter().map(|row| *row as f32 + 0.5).collect();
        let amounts: Vec<f32> = (0..self.places)
            .map(|place| self.lines((place, path.slopes[place]), middles[place], distance).max(0.0))
            .collect();
        let smooth = smoothed(&middles, &amounts);
        let lines = [-0.5, 0.5].map(|side| {
            let offsets: Vec<f32> = (0..self.places)
                .map(|place| {
                    let at = (place, path.slopes[place]);
                    let amount = |offset: i16| {
                        self.line(at, smooth[place] + side * distance + f32::from(offset) / 2.0, distance)
                    };
                    let reach = i16::try_from(path.distance / 3).unwrap_or(0);
                    let best = (-reach..=reach).max_by(|one, other| amount(*one).total_cmp(&amount(*other)));
                    best.map_or(0.0, |offset| f32::from(offset) / 2.0)
                })
                .collect();
            let curve = parabola(&offsets, &amounts);
            let middle = |place: usize| (smooth[place] + side * distance + curve(place)) * SHRINK as f32;
            (0..self.places).map(middle).collect::<Vec<_>>()
        });
        let mut sorted = amounts.clone();
        sorted.sort_by(f32::total_cmp);
        let limit = sorted[self.places * 3 / 4] * 0.25;
        let first = amounts.iter().position(|amount| *amount > limit).unwrap_or(0);
        let last = amounts.iter().rposition(|amount| *amount > limit).unwrap_or(0);
        let step = (SHRINK * STEP) as f32;
        let ends = (first as f32 * step, (last + 1) as f32 * step);
        let apart: Vec<f32> = (first..=last).map(|place| lines[1][place] - lines[0][place]).collect();
        let distance = apart.iter().sum::<f32>() / apart.len() as f32;
        let growth = growth(&apart, distance);
        Ribbon { score: path.score, ends, distance, growth, lines }
    }
}

/// The end of the straight line through values, as a part of its beginning.
fn growth(values: &[f32], mean: f32) -> f32 {
    let middle = (values.len() - 1) as f32 / 2.0;
    let at = |place: usize| place as f32 - middle;
    let squares: f32 = (0..values.len()).map(|place| at(place) * at(place)).sum();
    let products: f32 = values.iter().enumerate().map(|(place, value)| at(place) * value).sum();
    let rise = products / squares.max(1.0) * middle;
    ((mean + rise) / (mean - rise)).clamp(0.5, 2.0)
}

/// Each value on the straight line through those around it, which count by their weights.
fn smoothed(values: &[f32], weights: &[f32]) -> Vec<f32> {
    const AROUND: usize = 5;
    let smooth = |place: usize| {
        let around = place.saturating_sub(AROUND)..(place + AROUND + 1).min(values.len());
        let (mut all, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for other in around {
            let (weight, at) = (weights[other] + 0.1, other as f32 - place as f32);
            all += weight;
            x += weight * at;
            y += weight * values[other];
            xx += weight * at * at;
            xy += weight * at * values[other];
        }
        (y * xx - x * xy) / (all * xx - x * x)
    };
    (0..values.len()).map(smooth).collect()
}

/// The parabola that is nearest to the values, which count by their weights.
fn parabola(values: &[f32], weights: &[f32]) -> impl Fn(usize) -> f32 {
    let middle = values.len() as f32 / 2.0;
    let at = move |place: usize| (place as f32 - middle) / middle;
    // The normal equations, solved by Cramer's rule.
    let mut sums = [0.0_f32; 5];
    let mut right = [0.0_f32; 3];
    for (place, (value, weight)) in values.iter().zip(weights).enumerate() {
        let mut power = weight + 0.01;
        for sum in 0..5 {
            sums[sum] += power;
            if sum < 3 {
                right[sum] += power * value;
            }
            power *= at(place);
        }
    }
    let rows = [[sums[0], sums[1], sums[2]], [sums[1], sums[2], sums[3]], [sums[2], sums[3], sums[4]]];
    let determinant = |rows: [[f32; 3]; 3]| {
        let [a, b, c] = rows;
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    let whole = determinant(rows);
    let solved = [0, 1, 2].map(|column| {
        let mut replaced = rows;
        for (row, value) in replaced.iter_mut().zip(right) {
            row[column] = value;
        }
        determinant(replaced) / whole
    });
    move |place| {
        let x = at(place);
        solved[0] + solved[1] * x + solved[2] * x * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines of 44 letters, each a pair of strokes, whose middles are where `at` says.
    fn strip(at: impl Fn(f32) -> [f32; 2]) -> Grey {
        let mut strip = Grey::blank(1_500, 380, 230);
        for letter in 0..44 {
            for stroke in [90, 94, 104, 108].map(|start| start + letter * 30) {
                for x in stroke..stroke + 3 {
                    for middle in at(x as f32) {
                        for y in whole(middle - 15.0)..whole(middle + 15.0) {
                            strip.pixels[y * strip.width + x] = 40;
                        }
                    }
                }
            }
        }
        strip
    }

    fn assert_followed(at: impl Fn(f32) -> [f32; 2]) {
        let ribbon = follow(&strip(&at)).unwrap();
        for x in [110.0, 400.0, 750.0, 1_100.0, 1_390.0] {
            let (found, drawn) = (ribbon.at(x), at(x));
            let is_near = found.iter().zip(drawn).all(|(found, drawn)| (found - drawn).abs() < 6.0);
            assert!(is_near, "{found:?} instead of {drawn:?} at {x}");
        }
        assert!((ribbon.ends.0 - 90.0).abs() < 45.0 && (ribbon.ends.1 - 1_410.0).abs() < 45.0, "{:?}", ribbon.ends);
    }

    #[test]
    fn lines_that_are_bent_or_steep_are_followed() {
        let bent = |rise: f32| {
            move |x: f32| {
                let middle = 190.0 - rise * (1.0 - (x / 750.0 - 1.0).powi(2));
                [middle - 37.0, middle + 37.0]
            }
        };
        assert_followed(bent(0.0));
        assert_followed(bent(80.0));
        assert_followed(bent(-80.0));
        assert_followed(|x| [110.0 + x / 10.0, 184.0 + x / 10.0]);
    }

    #[test]
    fn lines_that_run_together_are_followed_each_by_itself() {
        assert_followed(|x| [140.0 + x / 150.0, 220.0 - x / 150.0]);
    }

    #[test]
    fn paper_without_print_and_a_strip_without_room_have_no_lines_that_count() {
        assert!(follow(&Grey::blank(1_500, 380, 200)).unwrap().score < 1.0);
        assert!(follow(&Grey::blank(40, 10, 200)).is_none(), "it has no room");
    }
}
