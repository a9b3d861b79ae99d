//! The tables that no query joins with those of members and orders.

diesel::table! { failed_tracks (order_id, hour, network) {
    order_id -> BigInt,
    hour -> Timestamp,
    network -> Text,
    tries -> Integer,
    last_at -> Timestamp,
} }

diesel::table! { search_progress (only_one) {
    only_one -> Integer,
    search_version -> Integer,
    through -> BigInt,
} }

diesel::table! { failed_attempts (bucket) {
    bucket -> Text,
    failures -> Integer,
    window_started_at -> Timestamp,
    blocked_until -> Nullable<Timestamp>,
} }

diesel::table! { idempotency (caller, route, key) {
    caller -> Text,
    route -> Text,
    key -> Text,
    request_hash -> Text,
    status_code -> Integer,
    answer -> Text,
    created_at -> Timestamp,
} }

diesel::table! { order_sources (order_id) {
    order_id -> BigInt,
    source_id -> BigInt,
    external_reference -> Nullable<Text>,
} }

diesel::table! { tracking_codes (code_id) {
    code_id -> Text,
    order_id -> BigInt,
    email_hash -> Text,
    created_at -> Timestamp,
    settled_at -> Nullable<Timestamp>,
    mail_id -> Nullable<BigInt>,
    by_owner -> Bool,
    tries -> Integer,
} }

diesel::table! { audit (audit_id) {
    audit_id -> BigInt,
    at -> Timestamp,
    staff_id -> Nullable<BigInt>,
    actor -> Text,
    action -> Text,
    order_id -> Nullable<BigInt>,
    before -> Nullable<Text>,
    after -> Nullable<Text>,
    ip -> Nullable<Text>,
} }

diesel::table! { audit_chain (link_id) {
    link_id -> BigInt,
    first_id -> BigInt,
    last_id -> BigInt,
    row_count -> BigInt,
    rows_hash -> Text,
    before_hash -> Text,
    linked_at -> Timestamp,
} }

diesel::table! { access_log (access_id) {
    access_id -> BigInt,
    at -> Timestamp,
    staff_id -> BigInt,
    action -> Text,
    order_id -> Nullable<BigInt>,
    ip -> Nullable<Text>,
    folder -> Nullable<Text>,
    search_hash -> Nullable<Text>,
    row_count -> Nullable<BigInt>,
} }

diesel::table! { access_log_retention (retention_id) {
    retention_id -> BigInt,
    delete_before -> Timestamp,
} }

diesel::table! { row_counters (hour, staff_id) {
    hour -> Timestamp,
    staff_id -> BigInt,
    row_count -> BigInt,
    rows_per_hour -> Nullable<BigInt>,
    reached_at -> Nullable<Timestamp>,
} }

diesel::table! { folder_counters (kind, key) {
    kind -> Text,
    key -> Text,
    order_count -> BigInt,
} }

diesel::table! { folder_counter_deltas (delta_id) {
    delta_id -> BigInt,
    kind -> Text,
    key -> Text,
    order_count -> BigInt,
} }

diesel::table! { backups (backup_id) {
    backup_id -> BigInt,
    place -> Text,
    name -> Nullable<Text>,
    started_at -> Timestamp,
    active_at -> Timestamp,
    finished_at -> Nullable<Timestamp>,
    failure -> Nullable<Text>,
    encrypted -> Bool,
    files -> Nullable<BigInt>,
    new_files -> Nullable<BigInt>,
    missing_files -> Nullable<BigInt>,
} }

diesel::table! { rehearsals (backup_name) {
    backup_name -> Text,
    taken_at -> Timestamp,
    restored_at -> Timestamp,
} }

diesel::table! { paper_checks (document_id) {
    document_id -> BigInt,
    order_id -> BigInt,
    paper -> Text,
    state -> Text,
    reason -> Nullable<Text>,
    reading -> Nullable<Text>,
    problem -> Nullable<Text>,
    attempts -> Integer,
    leased_until -> Nullable<Timestamp>,
    requested_at -> Timestamp,
    checked_at -> Nullable<Timestamp>,
} }

diesel::table! { paper_looks (document_id, field, values_hash) {
    document_id -> BigInt,
    field -> Text,
    values_hash -> Text,
    verdict -> Text,
    staff_id -> BigInt,
    looked_at -> Timestamp,
} }

diesel::table! { deliveries (document_id) {
    document_id -> BigInt,
    order_id -> BigInt,
    outcome -> Text,
    differing -> Text,
    used_by -> Nullable<BigInt>,
    reason -> Nullable<Text>,
    looked_by -> Nullable<BigInt>,
    looked_at -> Nullable<Timestamp>,
    event_id -> Nullable<BigInt>,
} }

diesel::table! { held_visas (held_id) {
    held_id -> BigInt,
    order_id -> BigInt,
    sha256 -> Text,
    held_from -> BigInt,
    held_at -> Timestamp,
} }

diesel::table! { paper_states (order_id, kind) {
    order_id -> BigInt,
    kind -> Text,
    document_id -> BigInt,
    state -> Text,
    reason -> Nullable<Text>,
    staff_id -> BigInt,
    set_at -> Timestamp,
} }

diesel::table! { paper_reasons (code) {
    code -> Text,
    state -> Text,
    kinds -> Text,
    texts -> Text,
    archived_at -> Nullable<Timestamp>,
} }

diesel::table! { paper_requests (request_id) {
    request_id -> BigInt,
    order_id -> BigInt,
    language -> Text,
    asked_by -> BigInt,
    asked_at -> Timestamp,
    former_status -> Text,
    former_owner -> Nullable<BigInt>,
    reminders -> Integer,
    remind_at -> Nullable<Timestamp>,
    ended -> Nullable<Text>,
    ended_at -> Nullable<Timestamp>,
} }

diesel::table! { unasked_papers (order_id, kind) {
    order_id -> BigInt,
    kind -> Text,
    document_id -> BigInt,
    state -> Text,
    faults -> Text,
    uploads -> Integer,
    sent_at -> Timestamp,
} }

diesel::table! { new_orders (order_id) {
    order_id -> BigInt,
    new_since -> Timestamp,
    is_free -> Bool,
    is_regular -> Bool,
    has_no_papers -> Bool,
    arrives_on -> Date,
} }

diesel::table! { filing_claims (order_id) {
    order_id -> BigInt,
    staff_id -> BigInt,
    claimed_at -> Timestamp,
    expires_at -> Timestamp,
} }

diesel::table! { undo_records (event_id) {
    event_id -> BigInt,
    change_id -> BigInt,
    order_id -> BigInt,
    staff_id -> BigInt,
    kind -> Text,
    made_at -> Timestamp,
    undone_at -> Nullable<Timestamp>,
    assign_to -> Nullable<BigInt>,
    process_status -> Text,
    status_before_deletion -> Nullable<Text>,
    processed_by -> Nullable<BigInt>,
    processed_at -> Nullable<Timestamp>,
    had_visa_or_dispute -> Nullable<Bool>,
    attached -> Nullable<Text>,
} }

diesel::table! { paper_request_items (request_id, kind) {
    request_id -> BigInt,
    kind -> Text,
    reason -> Text,
    text -> Text,
    state -> Text,
    document_id -> Nullable<BigInt>,
    faults -> Text,
    uploads -> Integer,
    in_at -> Nullable<Timestamp>,
} }

diesel::table! { filings (filing_id) {
    filing_id -> BigInt,
    order_id -> BigInt,
    application_number -> Text,
    fee_minor -> Nullable<BigInt>,
    fee_currency -> Nullable<Text>,
    receipt_id -> Nullable<BigInt>,
    filed_by -> BigInt,
    filed_at -> Timestamp,
    outcome -> Nullable<Text>,
    reason -> Nullable<Text>,
    closed_by -> Nullable<BigInt>,
    closed_at -> Nullable<Timestamp>,
    is_second -> Bool,
} }

diesel::table! { waiting_visas (document_id) {
    document_id -> BigInt,
    order_id -> BigInt,
    staff_id -> BigInt,
    recipient -> Text,
    is_own -> Bool,
    provider -> Text,
    due_at -> Nullable<Timestamp>,
} }

diesel::table! { visa_readings (document_id) {
    document_id -> BigInt,
    order_id -> BigInt,
    state -> Text,
    outcome -> Nullable<Text>,
    fields -> Text,
    attempts -> Integer,
    leased_until -> Nullable<Timestamp>,
    requested_at -> Timestamp,
    read_at -> Nullable<Timestamp>,
} }

diesel::table! { payment_gateways (gateway_id) {
    gateway_id -> BigInt,
    gateway_name -> Text,
    retired -> Bool,
} }

diesel::table! { active_gateway (only_one) {
    only_one -> Integer,
    gateway_id -> BigInt,
    retired -> Bool,
} }

diesel::joinable!(active_gateway -> payment_gateways (gateway_id));
diesel::allow_tables_to_appear_in_same_query!(active_gateway, payment_gateways);
