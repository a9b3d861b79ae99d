//! The messages between the server and its child.

use serde::{Deserialize, Serialize};

use crate::documents::rules::MediaType;

/// The size of an image in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageSize {
    /// Enough for reading a page beside the data.
    Screen,
    /// Enough for reading the smallest print, enlarged.
    Fine,
    /// As many as `Screen`, always as a JPEG, for programs that take no other image. No address names it.
    Upload,
}

impl ImageSize {
    /// The size that an address names.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "screen" => Some(Self::Screen),
            "fine" => Some(Self::Fine),
            _ => None,
        }
    }
}

/// A page to render. The PDF follows it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PageJob {
    /// From 1.
    pub page: usize,
    pub size: ImageSize,
}

/// The child's reply. An image follows `Rendered`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageReply {
    Rendered {
        pages: usize,
        media_type: MediaType,
    },
    NoSuchPage {
        pages: usize,
    },
    /// Damaged, locked, or without pages.
    Unreadable,
    /// The program has no renderer yet.
    NotBuilt,
}
