//! The limits of the size of a file, in whatever way it is measured.

/// The most bytes of one file.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;
/// The most pages of a PDF.
pub const MAX_PAGES: usize = 200;
/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 50_000_000;
/// The most pixels on a side of a picture.
pub const MAX_SIDE_LEN: u32 = 12_000;
