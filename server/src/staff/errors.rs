//! Why a call about staff, a sign-in or a password is refused.

use derive::Reason;

use crate::error::{Reason, Refusals};

const NO_METHODS: [&str; 0] = [];

/// Asks for the first of the member's second factors.
fn request_for(methods: &[&str]) -> &'static str {
    match methods {
        [.., "passkey"] => "Please use your passkey",
        ["app", ..] => "Please enter the code of your authenticator app",
        _ => "Please enter one of your recovery codes",
    }
}

/// Why a call about staff, a sign-in or a password is refused.
#[derive(Debug, thiserror::Error, Reason)]
pub enum StaffError {
    #[error("Email Address is required")]
    #[reason(Invalid)]
    SignInEmailMissing,
    #[error("Invalid email address")]
    #[reason(Invalid)]
    InvalidSignInEmail,
    #[error("Password is required")]
    #[reason(Invalid)]
    SignInPasswordMissing,
    /// The same for an unknown account and a wrong password.
    #[error("The email address or the password is wrong")]
    #[reason(SignedOut)]
    WrongCredentials,
    #[error("Too many people are signing in at once. Please try again in a moment")]
    #[reason(TooMany, retry_after = 1)]
    TooManySignIns,

    /// The password was right, and the member has a second factor.
    #[error("{}", request_for(.methods))]
    #[reason(SignedOut, data(challenge, methods))]
    SecondFactorRequired { challenge: String, methods: Vec<&'static str> },
    /// The password was right, and the member must have a second factor and has none.
    #[error("Your agency requires a second factor. Please set one up to sign in")]
    #[reason(SignedOut, code = "second_factor_required", data(challenge, methods = NO_METHODS, offers))]
    EnrolmentRequired { challenge: String, offers: Vec<&'static str> },
    #[error("Please enter your password first")]
    #[reason(Invalid)]
    ChallengeMissing,
    #[error("This sign-in has ended. Please enter your password again")]
    #[reason(SignedOut)]
    ChallengeEnded,
    #[error("Please enter the six digits of your authenticator app, or one of your recovery codes")]
    #[reason(Invalid)]
    SecondFactorUnreadable,
    /// Also for a code that was used before.
    #[error("This code is wrong or was used before. Please enter the code that your app shows now")]
    #[reason(Invalid)]
    WrongSecondFactor,
    #[error("Please set up a second factor first: an authenticator app with the code that it shows, or a passkey")]
    #[reason(Invalid)]
    EnrolmentMissing,
    #[error("You already have a second factor. Please sign in with it")]
    #[reason(Conflict)]
    AlreadyEnrolled,
    #[error("You use no second factor")]
    #[reason(Conflict)]
    NoSecondFactor,
    #[error("{0} has no second factor")]
    #[reason(Conflict, code = "no_second_factor")]
    MemberHasNoSecondFactor(String),
    #[error("{0} staff must have a second factor. Set up another one instead of removing it")]
    #[reason(Conflict)]
    SecondFactorMandatory(&'static str),
    #[error("Passkeys are not available here, because they need an https address. Please use an authenticator app")]
    #[reason(Conflict)]
    PasskeysNotOffered,
    #[error("You have no passkey. Please use another second factor")]
    #[reason(Conflict)]
    NoPasskey,
    #[error("Please enter a name for the passkey, such as that of the device that stores it")]
    #[reason(Invalid)]
    PasskeyNameMissing,
    #[error("This request for a passkey has ended or was answered already. Please try again")]
    #[reason(Conflict)]
    PasskeyCeremonyEnded,
    #[error("The browser's answer about the passkey cannot be read. Please try again")]
    #[reason(Invalid)]
    PasskeyUnreadable,
    #[error("The new passkey could not be verified. Please open Visadesk at its own address and try again")]
    #[reason(Invalid)]
    PasskeyRefused,
    #[error("This passkey has been added already")]
    #[reason(Conflict)]
    PasskeyKnown,
    #[error("You have the most passkeys that an account can have. Please remove one first")]
    #[reason(Conflict)]
    TooManyPasskeys,
    #[error("There is no such passkey")]
    #[reason(NotFound)]
    PasskeyNotFound,
    #[error("This passkey was not accepted. Please try again, or use another second factor")]
    #[reason(Invalid)]
    WrongPasskey,
    #[error(
        "The passkey {0} was not accepted, because it may have been copied. Please use another second factor, and remove it"
    )]
    #[reason(Invalid)]
    CopiedPasskey(String),
    #[error("Please confirm that it is you")]
    #[reason(Forbidden)]
    ConfirmationRequired,
    #[error("This is not your password")]
    #[reason(Invalid)]
    WrongPassword,
    #[error("This session has ended already")]
    #[reason(NotFound)]
    SessionNotFound,

    #[error("Please enter your password")]
    #[reason(Invalid)]
    PasswordMissing,
    #[error("Password must be at least {min_characters} characters")]
    #[reason(Invalid)]
    PasswordTooShort { min_characters: usize },
    #[error("Please enter your New Password")]
    #[reason(Invalid, code = "password_missing")]
    NewPasswordMissing,
    #[error("New Password must be at least {min_characters} characters")]
    #[reason(Invalid, code = "password_too_short")]
    NewPasswordTooShort { min_characters: usize },
    #[error("The password is longer than {max_bytes} bytes")]
    #[reason(Invalid)]
    PasswordTooLong { max_bytes: usize },
    #[error("This is the placeholder for a hidden password. Please choose another password")]
    #[reason(Invalid)]
    PasswordIsMask,
    #[error("This password is too common")]
    #[reason(Invalid)]
    CommonPassword,
    #[error("To change your password, please sign in again and do it within 30 minutes")]
    #[reason(SignedOut)]
    SignInTooOld,
    #[error("passwords: memory_kib and passes do not fit: {0}")]
    #[reason(Invalid)]
    InvalidPasswordCost(argon2::Error),

    #[error("Please enter your email")]
    #[reason(Invalid)]
    InvalidMemberEmail,
    #[error("Please select type")]
    #[reason(Invalid)]
    InvalidStaffType,
    #[error("The type must be one of: {0}")]
    #[reason(Invalid)]
    UnknownStaffType(String),
    #[error("There is no such entry in your inbox")]
    #[reason(NotFound)]
    InboxEntryNotFound,
    #[error("There is no member of staff named {0}")]
    #[reason(Invalid)]
    UnknownStaffName(String),
    #[error("There is no such team member")]
    #[reason(NotFound)]
    MemberNotFound,
    #[error("A team member with this email already exists")]
    #[reason(Conflict)]
    MemberEmailTaken,
    #[error("A team member with this name already exists")]
    #[reason(Conflict)]
    MemberNameTaken,
    #[error("{name} was changed by {changed_by} at {changed_at}. Please open the form again")]
    #[reason(Conflict)]
    MemberChanged { name: String, changed_by: String, changed_at: String },
    #[error("Only an Admin may add, change or delete an Admin")]
    #[reason(Forbidden)]
    AdminRequired,
    #[error("At least one Admin must remain")]
    #[reason(Conflict)]
    LastAdmin,
    #[error("You cannot delete yourself")]
    #[reason(Forbidden)]
    CannotDeleteSelf,
}

/// The errors of hashing and verifying a password.
#[derive(Debug)]
pub struct HashingErrors;

impl Refusals for HashingErrors {
    fn refusals() -> Vec<Box<dyn Reason>> {
        vec![Box::new(StaffError::TooManySignIns)]
    }
}
