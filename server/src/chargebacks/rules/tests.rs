use super::*;
use crate::config::Config;
use crate::ids::OrderId;

fn terms() -> Terms {
    Config::default().chargebacks
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn dispute(opened_on: &str, network: Network) -> Dispute {
    let opened_on = date(opened_on);
    Dispute { network, respond_by: respond_by(network, opened_on, &terms()), ..new_dispute(None, opened_on, &terms()) }
}

#[test]
fn the_network_is_read_from_the_card_s_brand_however_gateways_spell_it() {
    for (brand, network) in [
        ("Visa", Network::Visa),
        ("VISA debit", Network::Visa),
        ("mastercard", Network::Mastercard),
        ("Master Card", Network::Mastercard),
        ("MC", Network::Mastercard),
        ("American Express", Network::AmericanExpress),
        ("american_express", Network::AmericanExpress),
        ("AMEX", Network::AmericanExpress),
        ("Discover", Network::Discover),
        ("Diners Club", Network::Discover),
        ("PayPal", Network::PayPal),
        ("JCB", Network::Other),
        ("mcx", Network::Other),
        ("", Network::Other),
    ] {
        assert_eq!(network_of(Some(brand), Some("PayPal")), network, "{brand}");
    }
    assert_eq!(network_of(None, Some("PayPal")), Network::PayPal);
    assert_eq!(network_of(None, Some("Visa Direct")), Network::Other, "a gateway is no card");
    assert_eq!(network_of(None, None), Network::Other);
}

#[test]
fn each_network_leaves_its_days_also_over_the_end_of_a_month() {
    let due = |opened_on, network| respond_by(network, date(opened_on), &terms()).to_string();
    assert_eq!(due("2026-01-31", Network::Visa), "2026-03-02");
    assert_eq!(due("2028-01-31", Network::Visa), "2028-03-01", "a leap year");
    assert_eq!(due("2026-11-20", Network::Mastercard), "2027-01-04");
    assert_eq!(due("2026-02-28", Network::AmericanExpress), "2026-03-20");
    assert_eq!(due("2026-12-31", Network::Discover), "2027-01-30");
    assert_eq!(due("2026-11-20", Network::PayPal), "2026-11-30");
    assert_eq!(due("2026-11-20", Network::Other), "2026-12-10");
}

#[test]
fn the_working_deadline_is_the_earlier_of_the_network_s_day_and_seven_days() {
    let working = |dispute: &Dispute| deadline(dispute, date("2026-11-20"), &terms()).working_deadline.to_string();
    let visa = dispute("2026-11-27", Network::Visa);
    assert_eq!(working(&visa), "2026-12-04");
    assert_eq!(working(&Dispute { respond_by: date("2026-12-03"), ..visa.clone() }), "2026-12-03");
    let patient = Terms { working_days: 400, ..terms() };
    assert_eq!(deadline(&visa, date("2026-11-20"), &patient).working_deadline, visa.respond_by);
}

#[test]
fn the_days_left_have_a_word() {
    let visa = dispute("2026-11-20", Network::Visa);
    for (today, left, word) in [
        ("2026-11-19", 8, Urgency::InTime),
        ("2026-11-20", 7, Urgency::InTime),
        ("2026-11-21", 6, Urgency::InTime),
        ("2026-11-22", 5, Urgency::Soon),
        ("2026-11-24", 3, Urgency::Soon),
        ("2026-11-25", 2, Urgency::Urgent),
        ("2026-11-26", 1, Urgency::Urgent),
        ("2026-11-27", 0, Urgency::DueToday),
        ("2026-11-28", -1, Urgency::Overdue),
        ("2027-11-27", -365, Urgency::Overdue),
    ] {
        let due = deadline(&visa, date(today), &terms());
        assert_eq!((due.days_left, due.urgency), (Some(left), word), "{today}");
    }
    for (outcome, word) in [
        (ChargebackOutcome::Won, "Won"),
        (ChargebackOutcome::Lost, "Lost"),
        (ChargebackOutcome::Accepted, "Accepted"),
        (ChargebackOutcome::Withdrawn, "Withdrawn"),
    ] {
        let due = deadline(&Dispute { outcome, ..visa.clone() }, date("2026-11-28"), &terms());
        assert_eq!((due.days_left, due.urgency.as_str()), (None, word));
    }
}

/// A slip, and what is said of it.
type Case = (fn(&mut DisputeForm), &'static str);

fn form() -> DisputeForm {
    DisputeForm { network: "Visa".into(), outcome: "Open".into(), ..DisputeForm::default() }
}

fn read_on(form: &DisputeForm, known: Option<&str>, today: &str) -> Result<Dispute, String> {
    read(form, known.map(date), date(today), &terms()).map_err(|error| error.message())
}

#[test]
fn a_form_without_days_keeps_the_day_of_opening_and_takes_the_network_s_day() {
    let days = |form: &DisputeForm, known| {
        read_on(form, known, "2026-11-20").map(|read| (read.opened_on.to_string(), read.respond_by.to_string()))
    };
    let pair = |opened_on: &str, respond_by: &str| Ok((opened_on.to_owned(), respond_by.to_owned()));
    assert_eq!(days(&form(), None), pair("2026-11-20", "2026-12-20"));
    assert_eq!(days(&form(), Some("2026-11-01")), pair("2026-11-01", "2026-12-01"));
    let typed = DisputeForm { opened_on: "11/15/2026".into(), respond_by: "24-11-2026".into(), ..form() };
    assert_eq!(days(&typed, Some("2026-11-01")), pair("2026-11-15", "2026-11-24"));
    let same_day = DisputeForm { opened_on: "2026-11-15".into(), respond_by: "2026-11-15".into(), ..form() };
    assert_eq!(days(&same_day, None), pair("2026-11-15", "2026-11-15"));
}

#[test]
fn a_form_is_refused_with_what_to_do() {
    let refused = |change: fn(&mut DisputeForm)| {
        let mut form = form();
        change(&mut form);
        read_on(&form, None, "2026-11-20").unwrap_err()
    };
    let cases: [Case; 18] = [
        (|form| form.network = String::new(), "Please select the network"),
        (|form| form.network = "visa".into(), "Please select the network"),
        (|form| form.outcome = " ".into(), "Please select the outcome"),
        (|form| form.reason_group = "Theft".into(), "Please select the reason group"),
        (|form| form.amount = "149".into(), "Please enter the currency of the amount, such as USD"),
        (|form| form.currency = "USD".into(), "Please enter the disputed amount, such as 149.00"),
        (
            |form| (form.amount, form.currency) = ("1,5".into(), "USD".into()),
            "The amount must be a decimal number such as 149.00",
        ),
        (
            |form| (form.amount, form.currency) = ("1.5".into(), "JPY".into()),
            "The amount has more than 0 digits after the point",
        ),
        (
            |form| (form.amount, form.currency) = ("1".into(), "XXX".into()),
            "The currency must be a currency of ISO 4217, such as USD",
        ),
        (|form| form.reason_code = "x".repeat(51), "The reason code is longer than 50 characters"),
        (|form| form.case_id = "x".repeat(101), "The case id is longer than 100 characters"),
        (|form| form.arn = "1\u{202e}2".into(), "The ARN contains characters that cannot be shown"),
        (
            |form| form.opened_on = "2026-02-30".into(),
            "The opened on date is not a date. Please write it as 2026-01-31",
        ),
        (
            |form| form.opened_on = "2026-11-22".into(),
            "The opened on date is in the future. Please enter the day on the bank's notice",
        ),
        (|form| form.respond_by = "soon".into(), "The respond by date is not a date. Please write it as 2026-01-31"),
        (
            |form| form.respond_by = "2026-11-19".into(),
            "The respond by date is before the opened on date. Please enter the day on the bank's notice",
        ),
        (
            |form| form.respond_by = "2027-11-22".into(),
            "The respond by date lies more than a year after the opened on date. Please enter the day on the bank's notice",
        ),
        (|form| form.amount = "-1".into(), "Please enter the currency of the amount, such as USD"),
    ];
    for (change, said) in cases {
        assert_eq!(refused(change), said);
    }
}

#[test]
fn a_form_is_read_whole() {
    let form = DisputeForm {
        network: "Mastercard".into(),
        reason_group: "Not received".into(),
        reason_code: " 4853 ".into(),
        case_id: "CB-1".into(),
        amount: "149".into(),
        currency: "usd".into(),
        arn: "74537604221431003881865".into(),
        opened_on: "2026-11-21".into(),
        respond_by: String::new(),
        outcome: "Lost".into(),
    };
    let read = read_on(&form, None, "2026-11-20").unwrap();
    assert_eq!(
        describe(&read),
        "Mastercard, Not received, code 4853, case CB-1, USD 149.00, ARN 74537604221431003881865, \
         opened on 2026-11-21, respond by 2027-01-05, Lost"
    );
    assert_eq!(
        describe(&new_dispute(None, date("2026-11-20"), &terms())),
        "Other, opened on 2026-11-20, respond by 2026-12-10, Open"
    );
}

#[test]
fn an_open_dispute_belongs_to_an_order_in_chargeback() {
    let known = DisputeRecord {
        dispute: dispute("2026-11-20", Network::Visa),
        updated_by: "Ayu".into(),
        updated_at: "2026-11-20T00:00:00Z".parse().unwrap(),
    };
    let may = |status, known, outcome| {
        check_saving(OrderId(100_001), status, known, outcome).map_err(|error| error.to_string())
    };
    for outcome in ChargebackOutcome::ALL {
        assert_eq!(may(ProcessStatus::ChargeBack, None, *outcome), Ok(()));
    }
    assert_eq!(
        may(ProcessStatus::Completed, None, ChargebackOutcome::Won),
        Err("Order 100001 has no chargeback. Move it to ChargeBack first".into())
    );
    assert_eq!(may(ProcessStatus::Completed, Some(&known), ChargebackOutcome::Won), Ok(()));
    assert_eq!(
        may(ProcessStatus::Refunds, Some(&known), ChargebackOutcome::Open),
        Err("Order 100001 is not in ChargeBack, so its chargeback cannot be open. Move it there first".into())
    );
}

#[test]
fn only_delivered_orders_take_transaction_details() {
    let taken: Vec<ProcessStatus> = ProcessStatus::ALL
        .iter()
        .copied()
        .filter(|status| check_delivered(OrderId(100_001), *status, "Transaction details").is_ok())
        .collect();
    assert_eq!(taken, [ProcessStatus::CustomerCalled, ProcessStatus::Completed, ProcessStatus::ChargeBack]);
}

#[test]
fn both_transaction_details_are_required() {
    let read = |id: &str, name: &str| read_transaction(id, name).map_err(|error| error.message());
    assert_eq!(read(" ", "Visa Agency"), Err("Please enter your Transaction Id".into()));
    assert_eq!(read("ch_1", ""), Err("Please enter your Merchant Name".into()));
    assert_eq!(read("ch_1", &"x".repeat(201)), Err("The merchant name is longer than 200 characters".into()));
    assert_eq!(read(&"x".repeat(200), "A").map(|one| describe_transaction(&one).len()), Ok(203));
}
