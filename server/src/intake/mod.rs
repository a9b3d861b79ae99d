pub mod http;
pub mod keys;
pub mod seed;
