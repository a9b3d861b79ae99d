//! Validates the settings: refuses values with which the program could not serve, and warns about unwise ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::errors::ConfigError;
use super::{Config, Limits, MailSettings};
use crate::characters::is_unseen;
use crate::error::Result;
use crate::text::{MAX_NAME_LEN, without_case};

/// The last day on which applicants may be reminded of papers.
const MAX_REMINDER_DAY: u32 = 365;

/// The longest that an order may wait without being overdue: a year.
const MAX_OVERDUE_HOURS: u32 = 8_760;

/// The fewest characters that the form asks for (spec §5).
const MIN_PASSWORD_LEN: u32 = 6;

/// The longest that the mail of a visa may wait: as long as a change can be undone.
const MAX_UNDO_SECONDS: u32 = 600;

impl MailSettings {
    /// Returns true if a provider sends the mails; otherwise they become files.
    pub fn is_by_smtp(&self) -> bool {
        !(self.aws.is_empty() && self.sendgrid.is_empty())
    }
}

impl Config {
    /// Refuses values with which the program would start without being able to serve.
    pub(super) fn check(&self) -> Result<()> {
        let Limits { connections, connections_per_address, json_bytes, upload_bytes, uploads_at_once, .. } =
            self.limits;
        let positive = [
            ("database_connections", u64::from(self.database_connections)),
            ("limits.connections", connections as u64),
            ("limits.connections_per_address", connections_per_address as u64),
            ("limits.head_seconds", self.limits.head_seconds),
            ("limits.body_idle_seconds", self.limits.body_idle_seconds),
            ("limits.write_idle_seconds", self.limits.write_idle_seconds),
            ("limits.request_seconds", self.limits.request_seconds),
            ("mail.give_up_hours", u64::from(self.mail.give_up_hours)),
            ("mail.agree_seconds", u64::from(self.mail.agree_seconds)),
            ("mail.answer_seconds", u64::from(self.mail.answer_seconds)),
            ("chargebacks.working_days", u64::from(self.chargebacks.working_days)),
            ("backups.every_hours", u64::from(self.backups.every_hours)),
            ("backups.verify_within", u64::from(self.backups.verify_within)),
            ("access.waiting_notes", self.access.waiting_notes as u64),
            ("limits.json_bytes", json_bytes as u64),
            ("limits.upload_bytes", upload_bytes as u64),
            ("limits.uploads_at_once", uploads_at_once as u64),
            ("limits.packs_per_order_and_day", u64::from(self.limits.packs_per_order_and_day)),
        ];
        if let Some((key, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return Err(ConfigError::ConfigValueZero(key).into());
        }
        if self.passwords.min_length < MIN_PASSWORD_LEN {
            return Err(ConfigError::PasswordsTooShort(MIN_PASSWORD_LEN).into());
        }
        if self.limits.upload_bytes_in_flight < upload_bytes {
            return Err(ConfigError::FilesDoNotFit("limits.upload_bytes_in_flight").into());
        }
        if self.limits.download_bytes_in_flight < upload_bytes {
            return Err(ConfigError::FilesDoNotFit("limits.download_bytes_in_flight").into());
        }
        if self.delivery.undo_seconds > MAX_UNDO_SECONDS {
            return Err(ConfigError::UndoTooLong(MAX_UNDO_SECONDS).into());
        }
        if self.orders.overdue_hours > MAX_OVERDUE_HOURS {
            return Err(ConfigError::OverdueTooLate(MAX_OVERDUE_HOURS).into());
        }
        // Days that descend or repeat would send reminders at once.
        let days = &self.papers.reminder_days;
        let ascends = days.windows(2).all(|two| two[0] < two[1]);
        if !ascends || days.iter().any(|day| !(1..=MAX_REMINDER_DAY).contains(day)) {
            return Err(ConfigError::InvalidReminderDays(MAX_REMINDER_DAY).into());
        }
        self.metrics.address()?;
        self.check_gateways()
    }

    fn check_gateways(&self) -> Result<()> {
        let is_name =
            |name: &String| !name.is_empty() && name.chars().count() <= MAX_NAME_LEN && !name.chars().any(is_unseen);
        if self.gateways.is_empty() || !self.gateways.iter().all(is_name) {
            return Err(ConfigError::NoGateways.into());
        }
        let mut names: Vec<String> = self.gateways.iter().map(|name| without_case(name)).collect();
        names.sort();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(ConfigError::DuplicateGateway(two[0].clone()).into()),
            None => Ok(()),
        }
    }

    /// Returns true if users reach this installation over https.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// Returns true if the address of this installation leads to this machine only.
    pub fn is_local(&self) -> bool {
        ["http://localhost", "http://127."].iter().any(|here| self.public_url.starts_with(here))
    }

    /// Settings that work but are unsafe or useless.
    pub fn warnings(&self) -> Vec<&'static str> {
        // A proxy that is trusted stands between the internet and us, and usually ends the TLS.
        let is_reached = !self.listen.ip().is_loopback() || !self.trusted_proxies.is_empty();
        let in_the_open = !self.is_https() && is_reached;
        let cookies = "public_url is not https, so browsers may send the cookies of staff and visitors unencrypted. \
                       Set it to the https address that people use";
        let by_smtp = self.mail.is_by_smtp();
        let sender =
            "mail.from is an address at localhost, which no provider accepts. Set it to an address that they know";
        let is_nowhere = by_smtp && self.mail.from.trim_end_matches('>').ends_with("@localhost");
        let link = "public_url leads to this machine only, and mails contain it. Set it to the address that people use";
        let is_here = by_smtp && self.is_local();
        let open =
            "backups.recipient is empty, so the scheduled backups are not encrypted. Set it to an age public key";
        let is_open = !self.backups.place.is_empty() && self.backups.recipient.is_empty();
        let beside =
            "backups.place is in data_dir, so one lost disk takes both. Set it to another disk, or to a bucket";
        let is_beside = !self.backups.place.is_empty() && Path::new(&self.backups.place).starts_with(&self.data_dir);
        let shared =
            "data_dir can be opened by other users of this machine, and it has the secret key. Run `chmod 700` on it";
        let is_shared = mode_of(&self.data_dir).is_some_and(|mode| mode & 0o077 != 0);
        [
            (in_the_open, cookies),
            (is_nowhere, sender),
            (is_here, link),
            (is_open, open),
            (is_beside, beside),
            (is_shared, shared),
        ]
        .into_iter()
        .filter_map(|(holds, warning)| holds.then_some(warning))
        .collect()
    }
}

/// The permissions of a folder that exists.
fn mode_of(folder: &Path) -> Option<u32> {
    fs::metadata(folder).ok().map(|facts| facts.permissions().mode())
}

#[cfg(test)]
mod tests {
    use super::*;
    use figment::Figment;
    use figment::providers::{Format, Serialized, Toml};

    #[test]
    fn unencrypted_cookies_cause_a_warning() {
        let warns = |listen: &str, public_url: &str, trusted_proxies: &str| {
            let config = Config {
                listen: listen.parse().unwrap(),
                public_url: public_url.into(),
                trusted_proxies: trusted_proxies.parse().unwrap(),
                ..Config::default()
            };
            !config.warnings().is_empty()
        };
        assert!(warns("0.0.0.0:80", "http://visa.example", ""));
        assert!(warns("127.0.0.1:8080", "http://visa.example", "127.0.0.1"), "behind a proxy that ends the TLS");
        assert!(!warns("127.0.0.1:8080", "http://localhost:8080", ""));
        assert!(!warns("0.0.0.0:80", "https://visa.example", "10.0.0.0/8"));
    }

    #[test]
    fn gateways_are_a_list_or_names_with_commas_without_duplicates() {
        let read = |toml: &str| -> Result<Vec<String>, String> {
            let given = Figment::from(Serialized::defaults(Config::default())).merge(Toml::string(toml));
            let config: Config = given.extract().map_err(|error| error.to_string())?;
            config.check().map_err(|error| error.message())?;
            Ok(config.gateways)
        };
        let two = Ok(vec!["Stripe".to_owned(), "Adyen".to_owned()]);
        assert_eq!(read("gateways = ['Stripe', 'Adyen']"), two);
        assert_eq!(read("gateways = 'Stripe, Adyen'"), two);
        let missing = "names at least one payment gateway";
        for (bad, reason) in [
            ("[]", missing),
            ("''", missing),
            ("['Stripe', '']", missing),
            ("'Stripe,,Adyen'", missing),
            ("[\"a\\nb\"]", missing),
            ("['Stripe', 'stripe']", "names stripe twice"),
            ("7", "did not match any variant"),
        ] {
            let refused = read(&format!("gateways = {bad}")).expect_err(bad);
            assert!(refused.contains(reason), "{bad}: {refused}");
        }
    }

    #[test]
    fn reminders_come_on_ascending_days_an_undo_ends_soon_and_an_order_is_overdue_within_a_year() {
        let checked = |change: &dyn Fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            config.check().is_ok()
        };
        for days in [vec![], vec![3], vec![2, 5, 365]] {
            assert!(checked(&|config| config.papers.reminder_days.clone_from(&days)), "{days:?}");
        }
        for days in [vec![0], vec![5, 2], vec![2, 2], vec![366], vec![u32::MAX]] {
            assert!(!checked(&|config| config.papers.reminder_days.clone_from(&days)), "{days:?}");
        }
        for (seconds, is_taken) in [(0, true), (MAX_UNDO_SECONDS, true), (MAX_UNDO_SECONDS + 1, false)] {
            assert_eq!(checked(&|config| config.delivery.undo_seconds = seconds), is_taken, "{seconds}");
        }
        for (hours, is_taken) in [(0, true), (MAX_OVERDUE_HOURS, true), (MAX_OVERDUE_HOURS + 1, false)] {
            assert_eq!(checked(&|config| config.orders.overdue_hours = hours), is_taken, "{hours}");
        }
    }

    #[test]
    fn readable_backups_and_backups_beside_the_data_cause_warnings() {
        let mut config = Config::default();
        config.backups.place = "./data/backups".into();
        assert_eq!(config.warnings().len(), 2);
        config.backups.place = "s3://backups/visadesk".into();
        assert_eq!(config.warnings().len(), 1);
        config.backups.recipient = "age1…".into();
        assert_eq!(config.warnings(), [""; 0]);
    }

    #[test]
    fn a_data_folder_that_other_users_can_open_causes_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data_dir: folder.path().join("data"), ..Config::default() };
        assert_eq!(config.warnings(), [""; 0], "there is none yet");
        config.make_data_dir().unwrap();
        assert_eq!(config.warnings(), [""; 0]);
        for mode in [0o755, 0o750, 0o701] {
            fs::set_permissions(&config.data_dir, fs::Permissions::from_mode(mode)).unwrap();
            assert!(config.warnings().concat().contains("chmod 700"), "{mode:o}");
        }
    }

    #[test]
    fn unusable_mail_settings_cause_warnings() {
        let mut config = Config::default();
        assert_eq!(config.warnings(), [""; 0]);
        config.mail.aws = "smtps://name:password@mail.example".into();
        assert_eq!(config.warnings().len(), 2);
        config.mail.from = "Visa Desk <visa@agency.example>".into();
        config.public_url = "https://desk.example".into();
        assert_eq!(config.warnings(), [""; 0]);
    }
}
