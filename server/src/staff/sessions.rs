use super::rules::Staff;
use crate::{
    app::App,
    config::Config,
    error::{Error, Result},
    http::address::ClientAddress,
};
pub struct Tokens;
impl Tokens {
    pub fn open(_: &Config) -> Result<Self> {
        Ok(Self)
    }
}
pub async fn authenticate(_app: &App, _token: &str, _address: ClientAddress) -> Result<Staff> {
    Err(Error::signed_out())
}
