//! Tests with many rounds: fewer of them in the suite, and a printed seed for what is drawn by chance.

/// The variable that asks for the long form: `cargo xtask test --long`.
const LONG: &str = "VISADESK_TEST_LONG";

/// The variable with the seed of a random test.
const SEED: &str = "VISADESK_TEST_SEED";

/// `short` in the suite, `long` in the many-rounds form.
pub fn rounds<T>(short: T, long: T) -> T {
    if std::env::var_os(LONG).is_some() { long } else { short }
}

/// A random seed, unless the variable sets it. Printed, so that a failure can be repeated.
pub fn seed() -> [u8; 32] {
    let seed = match std::env::var(SEED) {
        Ok(text) => hex::decode(text).ok().and_then(|seed| seed.try_into().ok()).expect("a seed has 64 hex digits"),
        Err(_) => rand::random(),
    };
    println!("{SEED}={} repeats this test", hex::encode(seed));
    seed
}
