use crate::ids::StaffId;
use crate::orders::rules::fields::KeptValue;
use serde_json::json;

use super::*;

fn context() -> IntakeMoment {
    IntakeMoment { now: "2026-03-10T08:00:00Z".parse().unwrap(), today: day(2026, 3, 10) }
}

fn given(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn with(more: Value) -> Map<String, Value> {
    let mut order = given(json!({
        "full_name": "Ann Lee", "contact_email_address": "ann@example.com", "processing_mode": "Regular Processing",
    }));
    order.extend(given(more));
    order
}

fn paid(more: Value) -> Map<String, Value> {
    let mut order =
        with(json!({ "gateway": "Stripe", "payment_reference": "p1", "amount": "149.00", "currency": "USD" }));
    order.extend(given(more));
    order
}

fn create(order: &Map<String, Value>) -> Result<NewOrder, String> {
    check(order, context(), Source::SalesSite { is_strict: true }).map_err(|errors| described(&errors))
}

fn import(order: &Map<String, Value>) -> Result<NewOrder, String> {
    let staff = HashMap::from([("budi".to_owned(), StaffId(7))]);
    check(order, context(), Source::OlderSystem { staff: &staff, doubts: &[] }).map_err(|errors| described(&errors))
}

fn described(errors: &[FieldError]) -> String {
    errors.iter().map(|error| format!("{} {}", error.field, error.reason)).collect::<Vec<_>>().join("; ")
}

#[test]
fn an_order_without_a_payment_is_pending_and_a_paid_one_waits_for_its_day() {
    let status = |order: &Map<String, Value>| create(order).map(|order| order.process_status);
    assert_eq!(status(&with(json!({}))), Ok(ProcessStatus::Pending));
    assert_eq!(status(&with(json!({ "processing_date": "2026-03-11" }))), Ok(ProcessStatus::Pending));
    assert_eq!(status(&paid(json!({}))), Ok(ProcessStatus::New));
    assert_eq!(status(&paid(json!({ "processing_date": "2026-03-10" }))), Ok(ProcessStatus::New));
    assert_eq!(status(&paid(json!({ "processing_date": "2026-03-11" }))), Ok(ProcessStatus::Future));
}

#[test]
fn each_required_field_is_asked_for_by_name() {
    let without = |field: &str| {
        let mut order = with(json!({}));
        order.remove(field);
        create(&order).map(|_| ())
    };
    assert_eq!(without("full_name"), Err("full_name is missing, and so are first_name and last_name".into()));
    assert_eq!(without("contact_email_address"), Err("contact_email_address is missing".into()));
    assert_eq!(
        without("processing_mode"),
        Err("processing_mode is missing: Regular Processing or Priority Processing".into())
    );
}

#[test]
fn names_and_emails_may_come_in_either_form() {
    let mut order =
        with(json!({ "first_name": "Ann", "last_name": "Lee", "user": { "email": "account@example.com" } }));
    order.remove("full_name");
    order.remove("contact_email_address");
    let order = create(&order).unwrap();
    assert_eq!((order.full_name.as_str(), order.contact_email_address.as_str()), ("Ann Lee", "account@example.com"));
}

#[test]
fn an_error_names_its_field() {
    for (field, value) in [
        ("full_name", json!(7)),
        ("full_name", json!("x".repeat(201))),
        ("full_name", json!("Ann\u{0}Lee")),
        ("contact_email_address", json!(["a@b.co"])),
        ("contact_email_address", json!("a@b.co,c@d.co")),
        ("user.email", json!("nobody")),
        ("processing_mode", json!("Fast")),
        ("processing_date", json!("31-12-2026")),
        ("processing_date", json!(20_261_231)),
        ("date_of_birth", json!("2026-03-11")),
        ("date_of_expiry", json!("2026-02-30")),
        ("country_code", json!("IDN")),
        ("phone_number", json!("call me")),
        ("visa_type", json!("Z9")),
        ("stay_day", json!(-1)),
        ("stay_day", json!(1e99)),
        ("purchase_ip", json!("1.2.3")),
        ("terms_accepted_at", json!("yesterday")),
        ("external_reference", json!("x".repeat(101))),
        ("payment", json!("yes")),
        ("user", json!("ann@example.com")),
    ] {
        let refused = create(&with(json!({ field: value }))).map(|_| ());
        assert!(refused.as_ref().is_err_and(|text| text.starts_with(&format!("{field} "))), "{field}: {refused:?}");
    }
}

#[test]
fn payment_fields_are_required_together_and_the_amount_is_text() {
    let refused = |more: Value| create(&paid(more)).map(|_| ());
    assert!(refused(json!({ "amount": 149.0 })).is_err_and(|text| text.starts_with("amount must be a decimal")));
    assert!(refused(json!({ "amount": "-1.00" })).is_err_and(|text| text.starts_with("amount must be a decimal")));
    let too_exact = refused(json!({ "amount": "100.50", "currency": "JPY" }));
    assert!(too_exact.is_err_and(|text| text.starts_with("amount has more than 0 digits")));
    assert!(refused(json!({ "currency": "USDT" })).is_err_and(|text| text.starts_with("currency ")));
    assert!(refused(json!({ "card_last_four": "12345" })).is_err_and(|text| text.starts_with("card_last_four ")));
    assert!(refused(json!({ "payment_reference": null })).is_err_and(|text| text.contains("go together")));
    let nested =
        with(json!({ "payment": { "gateway": "Adyen", "payment_reference": "p", "amount": "1", "currency": "jpy" } }));
    let payment = create(&nested).unwrap().payment.unwrap();
    assert_eq!(payment.amount().to_string(), "JPY 1");
}

#[test]
fn codes_and_labels_are_normalised_to_the_catalogue() {
    let order = create(&with(json!({
        "visa_type": "c1", "main_purpose_of_visit": "employment", "sub_purpose_of_visit": "Our own words",
    })))
    .unwrap();
    assert_eq!(order.visa_type.as_deref(), Some("C1"));
    assert_eq!(order.application.main_purpose_of_visit.as_deref(), Some("Employment"));
    assert_eq!(order.application.sub_purpose_of_visit.as_deref(), Some("Our own words"));
}

#[test]
fn fields_that_only_staff_decide_are_ignored_from_the_sales_site() {
    let order = create(&with(json!({
        "process_status": "Completed", "assign_to": "Budi", "created_at": "2020-01-01", "refund_date": "2020-01-01",
        "order_id": 1, "processed_by": "Budi",
    })))
    .unwrap();
    assert_eq!((order.process_status, order.assign_to, order.refund_date), (ProcessStatus::Pending, None, None));
    assert_eq!(order.created_at, context().now);
}

#[test]
fn an_older_systems_row_has_status_owner_and_dates() {
    let order = import(&paid(json!({
        "process_status": "Refunds", "created_at": "2025-01-02T03:04:05Z", "refund_date": "2025-02-01", "assign_to": "BUDI",
    })))
    .unwrap();
    assert_eq!((order.process_status, order.assign_to), (ProcessStatus::Refunds, Some(StaffId(7))));
    assert_eq!(order.created_at.naive_utc().to_string(), "2025-01-02 03:04:05");
    assert_eq!(order.payment.unwrap().paid_at, order.created_at);

    let deleted = import(&paid(json!({ "process_status": "Deleted" }))).unwrap();
    assert_eq!(deleted.status_before_deletion, Some(ProcessStatus::New));

    for (more, field) in [
        (json!({ "process_status": "deleted" }), "process_status"),
        (json!({ "process_status": "Future" }), "processing_date"),
        (json!({ "created_at": "2031-01-01" }), "created_at"),
    ] {
        assert!(import(&with(more)).is_err_and(|text| text.starts_with(field)), "{field}");
    }
    let kept = import(&with(json!({ "assign_to": "Nobody" }))).unwrap().kept;
    let reason = Some("names no member of staff".to_owned());
    assert_eq!(kept, [KeptValue { field: "assign_to".into(), value: "Nobody".into(), reason }]);
}

#[test]
fn an_order_released_by_its_window_waits_for_the_first_day_of_its_application() {
    let released = |order: &Map<String, Value>, codes: &[&str]| {
        let mut order = create(order).unwrap();
        let codes: Vec<String> = codes.iter().map(|code| (*code).to_owned()).collect();
        release_by_window(&mut order, &codes, context().today);
        (order.process_status, order.processing_date)
    };
    let order = |visa: &str, arrival: &str| {
        paid(json!({ "visa_type": visa, "arrival_date": arrival, "processing_date": "2026-03-20" }))
    };
    let asked = Some(day(2026, 3, 20));
    // Ninety days before 9 June 2026 is the day after today, and before 8 June today.
    assert_eq!(released(&order("B1", "2026-06-09"), &["B1"]), (ProcessStatus::Future, Some(day(2026, 3, 11))));
    assert_eq!(released(&order("B1", "2026-06-08"), &["B1"]), (ProcessStatus::New, Some(day(2026, 3, 10))));
    assert_eq!(released(&order("B1", "2026-06-09"), &[]), (ProcessStatus::Future, asked));
    assert_eq!(released(&order("C1", "2026-06-09"), &["B1"]), (ProcessStatus::Future, asked));
    let without_arrival = paid(json!({ "visa_type": "B1", "processing_date": "2026-03-20" }));
    assert_eq!(released(&without_arrival, &["B1"]), (ProcessStatus::Future, asked));
    let unpaid = with(json!({ "visa_type": "B1", "arrival_date": "2026-06-09" }));
    assert_eq!(released(&unpaid, &["B1"]), (ProcessStatus::Pending, Some(day(2026, 3, 11))));
}

#[test]
fn every_field_of_the_contract_is_validated() {
    use utoipa::PartialSchema;
    let schema = serde_json::to_value(super::super::http::CreateOrder::schema()).unwrap();
    for field in
        schema["properties"].as_object().unwrap().keys().filter(|field| !["user", "payment"].contains(&field.as_str()))
    {
        let refused = create(&with(json!({ field: {} }))).map(|_| ());
        assert!(refused.is_err_and(|text| text.starts_with(field.as_str())), "{field}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_in_any_field_is_read_without_a_panic(field in 0usize..12, text in ".*") {
        let names = [
            "full_name", "contact_email_address", "processing_date", "country_code", "phone_number", "visa_type", "stay_day",
            "purchase_ip", "terms_accepted_at", "amount", "currency", "created_at",
        ];
        let _ = import(&paid(json!({ names[field]: text })));
    }
}
