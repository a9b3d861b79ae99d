//! The views, which are only read.

diesel::table! { order_findings (order_id) {
    order_id -> BigInt,
    document_kinds -> Nullable<Text>,
    mail_problem -> Nullable<Text>,
} }
