//! A picture as its format leaves it.

use bytes::Bytes;
use image::metadata::Orientation;

use super::colours::Colours;
use super::outcome::Refusal;
use crate::documents::limits::{MAX_PIXELS, MAX_SIDE_LEN};

/// A picture without anything but what it is drawn by.
pub struct StrippedPicture {
    pub content: Bytes,
    /// The side that is up.
    pub orientation: Orientation,
    /// None if they are those of sRGB, or not said.
    pub colours: Option<Colours>,
}

/// Refuses a picture with too many pixels, or too many on a side.
pub fn check_dimensions(width: u32, height: u32) -> Result<(), Refusal> {
    let is_too_large = width.max(height) > MAX_SIDE_LEN || u64::from(width) * u64::from(height) > MAX_PIXELS;
    if is_too_large { Err(Refusal::TooManyPixels) } else { Ok(()) }
}
