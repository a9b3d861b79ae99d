//! The tables of both databases. Written by hand after the migrations; a test compares the two.

mod members;
mod standalone;

pub use self::members::*;
pub use self::standalone::*;

diesel::table! { staff (staff_id) {
    staff_id -> BigInt,
    name -> Text,
    name_key -> Text,
    email -> Text,
    email_key -> Text,
    staff_type -> Text,
    password_hash -> Text,
    created_at -> Timestamp,
    updated_at -> Timestamp,
    updated_by -> Nullable<Text>,
    deleted_at -> Nullable<Timestamp>,
} }

diesel::table! { sessions (session_hash) {
    session_hash -> Text,
    staff_id -> BigInt,
    created_at -> Timestamp,
    last_seen_at -> Timestamp,
    expires_at -> Timestamp,
    idle_seconds -> Integer,
    confirmed_at -> Nullable<Timestamp>,
    address -> Nullable<Text>,
    user_agent -> Nullable<Text>,
} }

diesel::table! { api_keys (api_key_id) {
    api_key_id -> BigInt,
    name -> Text,
    key_hash -> Text,
    created_at -> Timestamp,
    revoked_at -> Nullable<Timestamp>,
    source_id -> Nullable<BigInt>,
    rights -> Nullable<Text>,
    expires_at -> Nullable<Timestamp>,
    networks -> Nullable<Text>,
    calls_per_minute -> Nullable<Integer>,
    is_strict -> Bool,
    key_start -> Nullable<Text>,
    last_used_at -> Nullable<Timestamp>,
} }

diesel::table! { sources (source_id) {
    source_id -> BigInt,
    name -> Text,
    name_key -> Text,
    created_at -> Timestamp,
} }

diesel::table! { orders (order_id) {
    order_id -> BigInt,
    external_reference -> Nullable<Text>,
    process_status -> Text,
    status_before_deletion -> Nullable<Text>,
    processing_mode -> Text,
    processing_date -> Nullable<Date>,
    full_name -> Text,
    contact_email_address -> Text,
    country_code -> Nullable<Text>,
    phone_number -> Nullable<Text>,
    nationality -> Nullable<Text>,
    visa_type -> Nullable<Text>,
    assign_to -> Nullable<BigInt>,
    processed_by -> Nullable<BigInt>,
    processed_at -> Nullable<Timestamp>,
    refund_date -> Nullable<Timestamp>,
    created_at -> Timestamp,
    updated_at -> Timestamp,
    queue -> Text,
    open_owner -> Nullable<BigInt>,
    future_date -> Nullable<Date>,
    had_visa_or_dispute -> Bool,
    document_kinds -> Nullable<Text>,
    mail_problem -> Nullable<Text>,
    papers_problem -> Nullable<Text>,
    visa_problem -> Nullable<Text>,
    unclear_fields -> Integer,
} }

diesel::table! { search_texts (order_id) {
    order_id -> BigInt,
    created_at -> Timestamp,
    search_text -> Text,
    search_version -> Integer,
} }

diesel::table! { applications (order_id) {
    order_id -> BigInt,
    account_email -> Nullable<Text>,
    first_name -> Nullable<Text>,
    middle_name -> Nullable<Text>,
    last_name -> Nullable<Text>,
    sex -> Nullable<Text>,
    place_of_birth -> Nullable<Text>,
    date_of_birth -> Nullable<Date>,
    passport_from -> Nullable<Text>,
    main_purpose_of_visit -> Nullable<Text>,
    sub_purpose_of_visit -> Nullable<Text>,
    stay_day -> Nullable<Integer>,
    arrival_date -> Nullable<Date>,
    document_type -> Nullable<Text>,
    document_number -> Nullable<Text>,
    date_of_expiry -> Nullable<Date>,
    issuing_place -> Nullable<Text>,
    residence_type -> Nullable<Text>,
    address -> Nullable<Text>,
    postal_code -> Nullable<Text>,
    province -> Nullable<Text>,
    city -> Nullable<Text>,
    district -> Nullable<Text>,
    village -> Nullable<Text>,
    immigration_office -> Nullable<Text>,
    signature_name -> Nullable<Text>,
} }

diesel::table! { checkouts (order_id) {
    order_id -> BigInt,
    purchase_ip -> Nullable<Text>,
    user_agent -> Nullable<Text>,
    device_id -> Nullable<Text>,
    three_d_secure -> Nullable<Text>,
    terms_version -> Nullable<Text>,
    terms_accepted_at -> Nullable<Timestamp>,
} }

diesel::table! { payments (order_id) {
    order_id -> BigInt,
    gateway -> Text,
    payment_reference -> Text,
    amount_minor -> BigInt,
    currency -> Text,
    card_brand -> Nullable<Text>,
    card_last_four -> Nullable<Text>,
    paid_at -> Timestamp,
} }

diesel::table! { transactions (order_id) {
    order_id -> BigInt,
    transaction_id -> Nullable<Text>,
    merchant_name -> Nullable<Text>,
} }

diesel::table! { documents (document_id) {
    document_id -> BigInt,
    order_id -> BigInt,
    kind -> Text,
    file1 -> Text,
    original_name -> Text,
    media_type -> Text,
    size_bytes -> BigInt,
    sha256 -> Text,
    original_sha256 -> Nullable<Text>,
    uploaded_by -> Nullable<BigInt>,
    created_at -> Timestamp,
} }

diesel::table! { remarks (remark_id) {
    remark_id -> BigInt,
    order_id -> BigInt,
    staff_id -> BigInt,
    remark -> Text,
    whatsapp -> Bool,
    telephone -> Bool,
    status_refund -> Bool,
    voided -> Bool,
    chargeback -> Bool,
    report_error -> Bool,
    created_at -> Timestamp,
    search_text -> Nullable<Text>,
} }

diesel::table! { mails (mail_id) {
    mail_id -> BigInt,
    order_id -> BigInt,
    document_id -> Nullable<BigInt>,
    staff_id -> Nullable<BigInt>,
    kind -> Text,
    recipient -> Text,
    provider -> Text,
    state -> Text,
    failure -> Nullable<Text>,
    message_id -> Nullable<Text>,
    due_at -> Nullable<Timestamp>,
    leased_until -> Nullable<Timestamp>,
    created_at -> Timestamp,
    sent_at -> Nullable<Timestamp>,
    stopped_at -> Nullable<Timestamp>,
    in_file -> Bool,
} }

diesel::table! { mail_texts (mail_id) {
    mail_id -> BigInt,
    subject -> Text,
    text_body -> Text,
    html_body -> Text,
} }

diesel::table! { mail_attempts (mail_id, attempt) {
    mail_id -> BigInt,
    attempt -> Integer,
    started_at -> Timestamp,
    text_at -> Nullable<Timestamp>,
    ended_at -> Nullable<Timestamp>,
    outcome -> Nullable<Text>,
    answer -> Nullable<Text>,
} }

diesel::table! { mail_secrets (mail_id) {
    mail_id -> BigInt,
    secret_id -> Text,
    expires_at -> Timestamp,
    revoked_at -> Nullable<Timestamp>,
} }

diesel::table! { visitor_grants (grant_hash) {
    grant_hash -> Text,
    order_id -> BigInt,
    created_at -> Timestamp,
    expires_at -> Timestamp,
} }

diesel::table! { downloads (download_id) {
    download_id -> BigInt,
    order_id -> BigInt,
    document_id -> BigInt,
    ip -> Text,
    device -> Text,
    device_type -> Text,
    browser -> Text,
    os -> Text,
    location -> Text,
    location_as_of -> Nullable<Date>,
    user_agent -> Nullable<Text>,
    automated -> Bool,
    created_at -> Timestamp,
} }

diesel::table! { refunds (refund_id) {
    refund_id -> BigInt,
    order_id -> BigInt,
    refunded_at -> Timestamp,
    staff_id -> BigInt,
    mail_id -> BigInt,
    taken_back_at -> Nullable<Timestamp>,
    taken_back_by -> Nullable<BigInt>,
    taken_back_reason -> Nullable<Text>,
    correction_mail_id -> Nullable<BigInt>,
    approval_id -> Nullable<BigInt>,
} }

diesel::table! { refund_approvals (approval_id) {
    approval_id -> BigInt,
    state -> Text,
    requested_by -> BigInt,
    requested_at -> Timestamp,
    expires_at -> Timestamp,
    decided_by -> Nullable<BigInt>,
    decided_at -> Nullable<Timestamp>,
    note -> Nullable<Text>,
} }

diesel::table! { refund_approval_orders (approval_id, order_id) {
    approval_id -> BigInt,
    order_id -> BigInt,
} }

diesel::table! { order_originals (order_id, field) {
    order_id -> BigInt,
    field -> Text,
    original -> Nullable<Text>,
    corrected_by -> BigInt,
    corrected_at -> Timestamp,
} }

diesel::table! { kept_values (order_id, field) {
    order_id -> BigInt,
    field -> Text,
    value -> Text,
    reason -> Nullable<Text>,
    settled_by -> Nullable<BigInt>,
    settled_at -> Nullable<Timestamp>,
} }

diesel::table! { chargebacks (order_id) {
    order_id -> BigInt,
    network -> Text,
    reason_group -> Nullable<Text>,
    reason_code -> Nullable<Text>,
    case_id -> Nullable<Text>,
    amount_minor -> Nullable<BigInt>,
    currency -> Nullable<Text>,
    arn -> Nullable<Text>,
    opened_on -> Date,
    respond_by -> Date,
    outcome -> Text,
    updated_by -> Text,
    updated_at -> Timestamp,
} }

diesel::table! { defence_packs (pack_id) {
    pack_id -> BigInt,
    order_id -> BigInt,
    pack_type -> Integer,
    file1 -> Text,
    pages -> Integer,
    size_bytes -> BigInt,
    sha256 -> Text,
    facts -> Text,
    staff_id -> BigInt,
    made_at -> Timestamp,
    content_digest -> Nullable<Text>,
} }

diesel::table! { inbox (inbox_id) {
    inbox_id -> BigInt,
    staff_id -> BigInt,
    order_id -> BigInt,
    kind -> Text,
    by_name -> Text,
    remark_id -> Nullable<BigInt>,
    created_at -> Timestamp,
    read_at -> Nullable<Timestamp>,
} }

diesel::table! { presences (session_hash, order_id) {
    session_hash -> Text,
    order_id -> BigInt,
    staff_id -> BigInt,
    activity -> Text,
    expires_at -> Timestamp,
} }

diesel::joinable!(sessions -> staff (staff_id));
diesel::joinable!(api_keys -> sources (source_id));
diesel::joinable!(orders -> staff (assign_to));
diesel::joinable!(search_texts -> orders (order_id));
diesel::joinable!(applications -> orders (order_id));
diesel::joinable!(checkouts -> orders (order_id));
diesel::joinable!(payments -> orders (order_id));
diesel::joinable!(transactions -> orders (order_id));
diesel::joinable!(order_sources -> orders (order_id));
diesel::joinable!(refunds -> orders (order_id));
diesel::joinable!(presences -> orders (order_id));
diesel::joinable!(refund_approval_orders -> orders (order_id));
diesel::joinable!(refund_approval_orders -> refund_approvals (approval_id));
diesel::joinable!(chargebacks -> orders (order_id));
diesel::joinable!(defence_packs -> orders (order_id));
diesel::joinable!(defence_packs -> staff (staff_id));
diesel::joinable!(documents -> orders (order_id));
diesel::joinable!(remarks -> staff (staff_id));
diesel::joinable!(mails -> documents (document_id));
diesel::joinable!(mails -> orders (order_id));
diesel::joinable!(mails -> staff (staff_id));
diesel::joinable!(mail_texts -> mails (mail_id));
diesel::joinable!(mail_attempts -> mails (mail_id));
diesel::joinable!(mail_secrets -> mails (mail_id));
diesel::joinable!(visitor_grants -> orders (order_id));
diesel::joinable!(downloads -> documents (document_id));

diesel::allow_tables_to_appear_in_same_query!(api_keys, sources);
diesel::allow_tables_to_appear_in_same_query!(
    staff,
    sessions,
    inbox,
    presences,
    audit,
    orders,
    search_texts,
    applications,
    checkouts,
    payments,
    transactions,
    order_sources,
    refunds,
    refund_approvals,
    refund_approval_orders,
    chargebacks,
    defence_packs,
    documents,
    remarks,
    mails,
    mail_texts,
    mail_attempts,
    mail_secrets,
    visitor_grants,
    downloads,
);
