//! Passwords: Argon2id on a bounded number of threads of low priority, so that guessing is expensive and other requests stay fast meanwhile.

use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use diesel::deserialize::FromSqlRow;
use diesel::expression::AsExpression;

use super::errors::StaffError;
use super::hashing_seats::{CallerKind, Seats};
use super::rules::passwords::{NewPassword, PasswordRule, check_length, composed};
use crate::config;
use crate::error::{Error, Permission, Result};
use crate::process;
use crate::staff::errors::HashingErrors;

/// The most passwords hashed at once.
const WORKERS: usize = 2;
/// The most further passwords that wait. Strangers may take half of these places, and of the workers.
const QUEUE: usize = 32;

/// A stored hash. It is never sent to a client.
#[derive(Clone, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = diesel::sql_types::Text)]
pub struct StoredHash(String);

impl StoredHash {
    /// A hash that no password matches: its member cannot sign in.
    pub fn unusable() -> Self {
        Self("no password matches this".to_owned())
    }
}

impl std::fmt::Debug for StoredHash {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("StoredHash(…)")
    }
}

impl<DB> diesel::serialize::ToSql<diesel::sql_types::Text, DB> for StoredHash
where
    DB: diesel::backend::Backend,
    str: diesel::serialize::ToSql<diesel::sql_types::Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut diesel::serialize::Output<'b, '_, DB>) -> diesel::serialize::Result {
        self.0.as_str().to_sql(out)
    }
}

impl<DB> diesel::deserialize::FromSql<diesel::sql_types::Text, DB> for StoredHash
where
    DB: diesel::backend::Backend,
    String: diesel::deserialize::FromSql<diesel::sql_types::Text, DB>,
{
    fn from_sql(raw: DB::RawValue<'_>) -> diesel::deserialize::Result<Self> {
        String::from_sql(raw).map(Self)
    }
}

/// Hashes and verifies passwords, at most [`WORKERS`] at once.
pub struct Passwords {
    argon2: Argon2<'static>,
    /// The requirements for new passwords.
    pub rule: PasswordRule,
    /// A hash that no password has, verified when there is no member, so that the response takes as long.
    dummy: StoredHash,
    workers: Seats,
    permits: Seats,
}

impl Passwords {
    /// Creates the pool with the configured cost.
    pub fn new(config: &config::PasswordSettings) -> Result<Self> {
        let params = Params::new(config.memory_kib, config.passes, 1, None).map_err(StaffError::InvalidPasswordCost)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Ok(Self {
            dummy: hash(&argon2, &hex::encode(rand::random::<[u8; 32]>()))?,
            argon2,
            rule: PasswordRule::of(config),
            workers: Seats::new(WORKERS),
            permits: Seats::new(WORKERS + QUEUE),
        })
    }

    /// The seats of the passwords that are hashed at once. Passwords wait for a seat that is taken elsewhere.
    pub fn workers(&self) -> &Seats {
        &self.workers
    }

    /// Hashes a new password, which a signed-in member has typed.
    ///
    /// # Errors
    /// [`StaffError::CommonPassword`] for one that is guessed early.
    pub async fn hash(&self, permission: Permission<HashingErrors>, password: NewPassword) -> Result<StoredHash> {
        let argon2 = self.argon2.clone();
        self.work(permission, CallerKind::Known, move || hash_new(&argon2, &password)).await
    }

    /// [`Passwords::hash`] for callers that may block.
    pub fn hash_now(&self, password: &NewPassword) -> Result<StoredHash> {
        hash_new(&self.argon2, password)
    }

    /// Hashes a password that was just verified once more, if its hash is cheaper to guess than the configuration asks for.
    pub async fn renew(
        &self,
        permission: Permission<HashingErrors>,
        caller: CallerKind,
        typed: &str,
        stored: &StoredHash,
    ) -> Result<Option<StoredHash>> {
        let known = Phc::new(&stored.0).ok().and_then(|hash| Params::try_from(&hash).ok());
        let wanted = self.argon2.params();
        if known.is_some_and(|known| known.m_cost() >= wanted.m_cost() && known.t_cost() >= wanted.t_cost()) {
            return Ok(None);
        }
        let (argon2, password) = (self.argon2.clone(), composed(typed));
        self.work(permission, caller, move || hash(&argon2, &password).map(Some)).await
    }

    /// Returns true if `typed` is the password of that hash. Without a hash it returns false after the same time.
    pub async fn verify(
        &self,
        permission: Permission<HashingErrors>,
        caller: CallerKind,
        typed: &str,
        stored: Option<StoredHash>,
    ) -> Result<bool> {
        check_length(typed)?;
        let (argon2, password, is_known) = (self.argon2.clone(), composed(typed), stored.is_some());
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        self.work(permission, caller, move || {
            let stored = Phc::new(&stored.0).map_err(|error| Error::internal(error.to_string()))?;
            Ok(argon2.verify_password(password.as_bytes(), &stored).is_ok() && is_known)
        })
        .await
    }

    /// Runs `work` on a thread of its own when a worker is free. Refuses it at once when too many wait.
    async fn work<T: Send + 'static>(
        &self,
        _: Permission<HashingErrors>,
        caller: CallerKind,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.permits.try_take(caller).ok_or(StaffError::TooManySignIns)?;
        let worker = self.workers.take(caller).await?;
        process::in_background("password", move || {
            // Held until the work is done, even if the request was cancelled meanwhile.
            let _held = (permit, worker);
            work()
        })
        .await
    }
}

fn hash_new(argon2: &Argon2<'_>, password: &NewPassword) -> Result<StoredHash> {
    password.check_guesses()?;
    hash(argon2, password.as_str())
}

fn hash(argon2: &Argon2<'_>, password: &str) -> Result<StoredHash> {
    let salt = rand::random::<[u8; 16]>();
    let hashed = argon2.hash_password_with_salt(password.as_bytes(), &salt);
    hashed.map(|hashed| StoredHash(hashed.to_string())).map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Permission<HashingErrors> = Permission::in_background();

    fn cheap() -> Result<Passwords> {
        with_cost(8, 1)
    }

    fn with_cost(memory_kib: u32, passes: u32) -> Result<Passwords> {
        Passwords::new(&config::PasswordSettings { memory_kib, passes, ..config::Config::default().passwords })
    }

    fn chosen(typed: &str) -> Result<NewPassword, StaffError> {
        NewPassword::of_oneself(typed, PasswordRule { min_characters: 6, min_guesses: 10_000 })
    }

    #[tokio::test]
    async fn a_hash_is_renewed_when_the_configuration_asks_for_more_and_never_for_less() -> Result<()> {
        let stored = with_cost(16, 2)?.hash(ANY, chosen("café au lait")?).await?;
        for (memory_kib, passes) in [(16, 2), (8, 1)] {
            assert_eq!(
                with_cost(memory_kib, passes)?.renew(ANY, CallerKind::Stranger, "café au lait", &stored).await?,
                None
            );
        }
        for (memory_kib, passes) in [(32, 2), (16, 3)] {
            let dearer = with_cost(memory_kib, passes)?;
            let renewed = dearer.renew(ANY, CallerKind::Stranger, "cafe\u{301} au lait", &stored).await?;
            assert!(renewed.as_ref().is_some_and(|hash| hash.0.contains(&format!("m={memory_kib},t={passes}"))));
            assert!(dearer.verify(ANY, CallerKind::Known, "café au lait", renewed).await?);
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_alone() -> Result<()> {
        let passwords = cheap()?;
        let stored = passwords.hash(ANY, chosen("cafe\u{301} au lait")?).await?;
        assert!(stored.0.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{}", stored.0);
        assert!(passwords.verify(ANY, CallerKind::Known, "cafe\u{301} au lait", Some(stored.clone())).await?);
        assert!(passwords.verify(ANY, CallerKind::Known, "café au lait", Some(stored.clone())).await?);
        assert!(!passwords.verify(ANY, CallerKind::Known, "cafe au lait", Some(stored.clone())).await?);
        assert!(!passwords.verify(ANY, CallerKind::Known, "café au lait", None).await?);
        assert_ne!(passwords.hash_now(&chosen("café au lait")?)?.0, stored.0, "each has its own salt");
        Ok(())
    }

    #[test]
    fn an_account_that_does_not_exist_costs_as_much_as_a_new_hash() -> Result<()> {
        let passwords = with_cost(16, 2)?;
        assert!(passwords.dummy.0.starts_with("$argon2id$v=19$m=16,t=2,p=1$"), "{}", passwords.dummy.0);
        Ok(())
    }

    #[tokio::test]
    async fn when_too_many_wait_the_next_is_refused_at_once() -> Result<()> {
        let passwords = cheap()?;
        let _busy: Vec<_> = std::iter::from_fn(|| passwords.permits.try_take(CallerKind::Known)).collect();
        let refused = passwords.verify(ANY, CallerKind::Known, "anything", None).await.err().map(|error| error.code());
        assert_eq!(refused, Some("too_many_sign_ins"));
        Ok(())
    }
}
