//! The tables of members that no query joins with others.

diesel::table! { authenticators (staff_id) {
    staff_id -> BigInt,
    salt -> Text,
    last_step -> BigInt,
    added_at -> Timestamp,
} }

diesel::table! { recovery_codes (staff_id, code_hash) {
    staff_id -> BigInt,
    code_hash -> Text,
    made_at -> Timestamp,
    used_at -> Nullable<Timestamp>,
} }

diesel::table! { challenges (challenge_hash) {
    challenge_hash -> Text,
    staff_id -> BigInt,
    remember_days -> Integer,
    tries -> Integer,
    expires_at -> Timestamp,
} }

diesel::table! { known_devices (staff_id, device, country) {
    staff_id -> BigInt,
    device -> Text,
    country -> Text,
    last_seen_at -> Timestamp,
    mailed_at -> Nullable<Timestamp>,
} }

diesel::table! { list_settings (staff_id) {
    staff_id -> BigInt,
    density -> Text,
    hidden_columns -> Text,
    updated_at -> Timestamp,
    newest_comment -> Bool,
} }

diesel::table! { saved_views (view_id) {
    view_id -> BigInt,
    staff_id -> BigInt,
    is_shared -> Bool,
    name -> Text,
    name_key -> Text,
    folder -> Text,
    filter -> Text,
    sort -> Nullable<Text>,
    updated_at -> Timestamp,
} }

diesel::table! { staff_mails (staff_mail_id) {
    staff_mail_id -> BigInt,
    staff_id -> BigInt,
    event -> Text,
    recipient -> Text,
    done_by -> Nullable<Text>,
    device -> Nullable<Text>,
    country -> Nullable<Text>,
    created_at -> Timestamp,
    due_at -> Timestamp,
    leased_until -> Nullable<Timestamp>,
    attempts -> Integer,
    uncertain -> Integer,
} }

diesel::table! { passkeys (passkey_id) {
    passkey_id -> BigInt,
    staff_id -> BigInt,
    name -> Text,
    credential_id -> Text,
    credential -> Text,
    sign_count -> BigInt,
    added_at -> Timestamp,
    last_used_at -> Nullable<Timestamp>,
} }

diesel::table! { passkey_ceremonies (holder_hash, kind) {
    holder_hash -> Text,
    kind -> Text,
    staff_id -> BigInt,
    state -> Text,
    expires_at -> Timestamp,
} }

diesel::table! { canned_texts (canned_text_id) {
    canned_text_id -> BigInt,
    staff_id -> Nullable<BigInt>,
    purpose -> Text,
    title -> Text,
    texts -> Text,
} }
