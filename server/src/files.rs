use crate::{config::Config, error::Result};
pub struct Files;
impl Files {
    pub fn open(_: &Config) -> Result<Self> {
        Ok(Self)
    }
}
