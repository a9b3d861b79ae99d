//! What the children of the server see in a picture. Pure, and far from the rules: it knows shades and shapes, and no order.
//!
//! - `grey.rs`: grey pictures. `zone.rs`: where the machine-readable zone of a passport lies; `ribbon.rs`: follows lines that are bent; `lines.rs`: the cells of both.
//! - `photograph.rs`: what a photograph of a person measures; `portal.rs`: draws the version of it that the government's portal takes.
//! - `jpeg.rs`: encodes a picture. `scans.rs`, `scans/`: whether the data of a JPEG is complete, and where it ends.
//!
//! It is a crate of its own because the development build optimises it (`[profile.dev.package]`), which would take minutes for the server.

pub mod grey;
pub mod jpeg;
pub mod lines;
pub mod photograph;
pub mod portal;
mod ribbon;
pub mod scans;
pub mod zone;
