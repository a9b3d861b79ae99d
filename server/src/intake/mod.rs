pub mod http;
pub mod keys;
