//! Why a call about staff, a sign-in or a password is refused.

use serde_json::{Value, json};
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Asks for the first of the member's second factors.
fn request_for(methods: &[&str]) -> &'static str {
    match methods {
        [.., "passkey"] => "Please use your passkey",
        ["app", ..] => "Please enter the code of your authenticator app",
        _ => "Please enter one of your recovery codes",
    }
}

/// Why a call about staff, a sign-in or a password is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum StaffError {
    #[error("Email Address is required")]
    SignInEmailMissing,
    #[error("Invalid email address")]
    InvalidSignInEmail,
    #[error("Password is required")]
    SignInPasswordMissing,
    /// The same for an unknown account and a wrong password.
    #[error("The email address or the password is wrong")]
    WrongCredentials,
    #[error("Too many people are signing in at once. Please try again in a moment")]
    TooManySignIns,

    /// The password was right, and the member has a second factor.
    #[error("{}", request_for(.methods))]
    SecondFactorRequired { challenge: String, methods: Vec<&'static str> },
    /// The password was right, and the member must have a second factor and has none.
    #[error("Your agency requires a second factor. Please set one up to sign in")]
    #[strum(serialize = "second_factor_required")]
    EnrolmentRequired { challenge: String, offers: Vec<&'static str> },
    #[error("Please enter your password first")]
    ChallengeMissing,
    #[error("This sign-in has ended. Please enter your password again")]
    ChallengeEnded,
    #[error("Please enter the six digits of your authenticator app, or one of your recovery codes")]
    SecondFactorUnreadable,
    /// Also for a code that was used before.
    #[error("This code is wrong or was used before. Please enter the code that your app shows now")]
    WrongSecondFactor,
    #[error("Please set up a second factor first: an authenticator app with the code that it shows, or a passkey")]
    EnrolmentMissing,
    #[error("You already have a second factor. Please sign in with it")]
    AlreadyEnrolled,
    #[error("You use no second factor")]
    NoSecondFactor,
    #[error("{0} has no second factor")]
    #[strum(serialize = "no_second_factor")]
    MemberHasNoSecondFactor(String),
    #[error("{0} staff must have a second factor. Set up another one instead of removing it")]
    SecondFactorMandatory(&'static str),
    #[error("Passkeys are not available here, because they need an https address. Please use an authenticator app")]
    PasskeysNotOffered,
    #[error("You have no passkey. Please use another second factor")]
    NoPasskey,
    #[error("Please name the passkey, such as after the device that keeps it")]
    PasskeyNameMissing,
    #[error("This request for a passkey has ended or was answered already. Please try again")]
    PasskeyCeremonyEnded,
    #[error("The browser's answer about the passkey cannot be read. Please try again")]
    PasskeyUnreadable,
    #[error("The new passkey could not be verified. Please open Visadesk at its own address and try again")]
    PasskeyRefused,
    #[error("This passkey has been added already")]
    PasskeyKnown,
    #[error("You have as many passkeys as possible. Please remove one first")]
    TooManyPasskeys,
    #[error("There is no such passkey")]
    PasskeyNotFound,
    #[error("This passkey was not accepted. Please try again, or use another second factor")]
    WrongPasskey,
    #[error(
        "The passkey {0} was not accepted, because it may have been copied. Please use another second factor, and remove it"
    )]
    CopiedPasskey(String),
    #[error("Please confirm that it is you")]
    ConfirmationRequired,
    #[error("This is not your password")]
    WrongPassword,
    #[error("This session has ended already")]
    SessionNotFound,

    #[error("Please enter your password")]
    PasswordMissing,
    #[error("Password must be at least {min_characters} characters")]
    PasswordTooShort { min_characters: usize },
    #[error("Please enter your New Password")]
    #[strum(serialize = "password_missing")]
    NewPasswordMissing,
    #[error("New Password must be at least {min_characters} characters")]
    #[strum(serialize = "password_too_short")]
    NewPasswordTooShort { min_characters: usize },
    #[error("The password is longer than {max_bytes} bytes")]
    PasswordTooLong { max_bytes: usize },
    #[error("This password is what hides passwords. Please choose another")]
    PasswordIsMask,
    #[error("This password is too common")]
    CommonPassword,
    #[error("To change your password, please sign in again and do it within 30 minutes")]
    SignInTooOld,
    #[error("passwords: memory_kib and passes do not fit: {0}")]
    InvalidPasswordCost(argon2::Error),

    #[error("Please enter your email")]
    InvalidMemberEmail,
    #[error("Please select type")]
    InvalidStaffType,
    #[error("The type must be one of: {0}")]
    UnknownStaffType(String),
    #[error("There is no member of staff named {0}")]
    UnknownStaffName(String),
    #[error("There is no such team member")]
    MemberNotFound,
    #[error("A team member with this email already exists")]
    MemberEmailTaken,
    #[error("A team member with this name already exists")]
    MemberNameTaken,
    #[error("{name} was changed by {changed_by} at {changed_at}. Please open the form again")]
    MemberChanged { name: String, changed_by: String, changed_at: String },
    #[error("Only an Admin may add, change or delete an Admin")]
    AdminRequired,
    #[error("At least one Admin must remain")]
    LastAdmin,
    #[error("You cannot delete yourself")]
    CannotDeleteSelf,
}

impl Reason for StaffError {
    fn kind(&self) -> Kind {
        match self {
            Self::WrongCredentials
            | Self::SignInTooOld
            | Self::SecondFactorRequired { .. }
            | Self::EnrolmentRequired { .. }
            | Self::ChallengeEnded => Kind::SignedOut,
            Self::TooManySignIns => Kind::TooMany,
            Self::MemberNotFound | Self::SessionNotFound | Self::PasskeyNotFound => Kind::NotFound,
            Self::MemberEmailTaken
            | Self::MemberNameTaken
            | Self::MemberChanged { .. }
            | Self::LastAdmin
            | Self::AlreadyEnrolled
            | Self::NoSecondFactor
            | Self::MemberHasNoSecondFactor(_)
            | Self::SecondFactorMandatory(_)
            | Self::PasskeysNotOffered
            | Self::NoPasskey
            | Self::PasskeyCeremonyEnded
            | Self::PasskeyKnown
            | Self::TooManyPasskeys => Kind::Conflict,
            Self::AdminRequired | Self::CannotDeleteSelf | Self::ConfirmationRequired => Kind::Forbidden,
            Self::SignInEmailMissing
            | Self::InvalidSignInEmail
            | Self::SignInPasswordMissing
            | Self::ChallengeMissing
            | Self::SecondFactorUnreadable
            | Self::WrongSecondFactor
            | Self::EnrolmentMissing
            | Self::PasskeyNameMissing
            | Self::PasskeyUnreadable
            | Self::PasskeyRefused
            | Self::WrongPasskey
            | Self::CopiedPasskey(_)
            | Self::WrongPassword
            | Self::PasswordMissing
            | Self::PasswordTooShort { .. }
            | Self::NewPasswordMissing
            | Self::NewPasswordTooShort { .. }
            | Self::PasswordTooLong { .. }
            | Self::PasswordIsMask
            | Self::CommonPassword
            | Self::InvalidPasswordCost(_)
            | Self::InvalidMemberEmail
            | Self::InvalidStaffType
            | Self::UnknownStaffType(_)
            | Self::UnknownStaffName(_) => Kind::Invalid,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::SecondFactorRequired { challenge, methods } => {
                Some(json!({ "challenge": challenge, "methods": methods }))
            }
            Self::EnrolmentRequired { challenge, offers } => {
                Some(json!({ "challenge": challenge, "methods": [], "offers": offers }))
            }
            _ => None,
        }
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        matches!(self, Self::TooManySignIns).then_some(1)
    }
}
