//! What the child sees in a picture. Pure, and far from the rules: it knows shades and shapes, and no order.
//!
//! - `grey.rs`: grey pictures. `zone.rs`: where the machine-readable zone of a passport lies; `lines.rs`: the cells of its two lines.

pub mod grey;
pub mod lines;
pub mod zone;
