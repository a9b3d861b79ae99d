//! What a photograph of a person measures.

use image::DynamicImage;
use serde::{Deserialize, Serialize};

use crate::grey::Grey;

/// The height at which sharpness and border are measured, so that they do not depend on the number of pixels.
const MEASURED: u32 = 600;

/// The measures of a photograph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    pub width: u32,
    pub height: u32,
    /// The mean difference between the strongest and the weakest of red, green and blue, from 0 to 255.
    pub colour: f32,
    /// How strong the finest edges are, from 0.
    pub sharpness: f32,
    /// How much the border differs from its own mean, from 0 to 255.
    pub border: f32,
}

/// Measures a photograph.
pub fn measure(picture: &DynamicImage) -> Measures {
    let small = picture.resize(MEASURED, MEASURED, image::imageops::FilterType::Triangle);
    let grey = Grey::of(&small, MEASURED);
    let colours = small.to_rgb8();
    let spread = |pixel: &image::Rgb<u8>| {
        let [red, green, blue] = pixel.0;
        f32::from(red.max(green).max(blue) - red.min(green).min(blue))
    };
    let colour = colours.pixels().map(spread).sum::<f32>() / grey.pixels.len().max(1) as f32;
    Measures {
        width: picture.width(),
        height: picture.height(),
        colour,
        sharpness: sharpness(&grey),
        border: border(&grey),
    }
}

/// The mean of the strongest hundredth of the second differences between neighbours. A blur takes them first.
fn sharpness(grey: &Grey) -> f32 {
    let mut edges = Vec::new();
    for y in 1..grey.height.saturating_sub(1) {
        for x in 1..grey.width.saturating_sub(1) {
            let at = |x, y| i32::from(grey.at(x, y));
            let around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
            edges.push((around - 4 * at(x, y)).unsigned_abs());
        }
    }
    edges.sort_unstable_by(|one, other| other.cmp(one));
    let strongest = &edges[..(edges.len() / 100).max(1).min(edges.len())];
    strongest.iter().map(|edge| *edge as f32).sum::<f32>() / strongest.len().max(1) as f32
}

/// How uneven the upper half of the border is: the lower half shows the shoulders.
fn border(grey: &Grey) -> f32 {
    let (wide, high) = ((grey.width / 20).max(1), (grey.height / 20).max(1));
    let is_border = |x: usize, y: usize| y < high || (y < grey.height / 2 && (x < wide || x >= grey.width - wide));
    let places = (0..grey.height).flat_map(|y| (0..grey.width).map(move |x| (x, y)));
    let shades: Vec<f32> = places.filter(|(x, y)| is_border(*x, *y)).map(|(x, y)| f32::from(grey.at(x, y))).collect();
    let count = shades.len().max(1) as f32;
    let mean = shades.iter().sum::<f32>() / count;
    shades.iter().map(|shade| (shade - mean).abs()).sum::<f32>() / count
}
