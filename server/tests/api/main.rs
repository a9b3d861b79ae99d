//! The server's tests: the real router over a real listener, on a real database of either kind. One binary.

mod support;

mod documents;
mod health;
mod import;
mod intake;
mod seed;
mod staff;
mod visas;
