use crate::{config, error::Result};
pub struct Passwords;
impl Passwords {
    pub fn new(_: &config::Passwords) -> Result<Self> {
        Ok(Self)
    }
}
