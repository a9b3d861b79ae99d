//! What the child sees in a picture. Pure, and far from the rules: it knows shades and shapes, and no order.
//!
//! - `grey.rs`: grey pictures. `zone.rs`: where the machine-readable zone of a passport lies; `lines.rs`: the cells of its two lines.
//! - `photograph.rs`: what a photograph of a person measures; `portal.rs`: draws the version of it that the government's portal takes.

pub mod grey;
pub mod lines;
pub mod photograph;
pub mod portal;
pub mod zone;
