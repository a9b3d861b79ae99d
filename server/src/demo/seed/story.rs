//! The history of one order, from its own random source: the same seed, number and day always give the same history.

use chrono::TimeDelta;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

use super::chance::{AGENTS, Agent, address, digits, in_percent, one_of, weighted};
use super::disputes;
use super::people::{HomeCountry, NameOrder, ORIGINS};
use super::world::World;
use crate::chargebacks::store::NewDispute;
use crate::ids::StaffId;
use crate::money::Currency;
use crate::orders::facts::{Application, Checkout, Payment};
use crate::orders::new_order::NewOrder;
use crate::orders::rules::ProcessingMode;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// An order and its history.
pub struct Story {
    pub order: NewOrder,
    pub remarks: Vec<DemoRemark>,
    pub mails: Vec<DemoMail>,
    pub downloads: Vec<DemoDownload>,
    /// Of an order in ChargeBack.
    pub chargeback: Option<NewDispute>,
    /// The random source after the history, for the files.
    pub rng: ChaCha8Rng,
}

/// A note of a member of staff.
pub struct DemoRemark {
    pub staff_id: StaffId,
    pub text: &'static str,
    pub whatsapp: bool,
    pub telephone: bool,
    pub refund: bool,
    pub chargeback: bool,
    pub at: Timestamp,
}

/// A mail that was sent, or failed.
pub struct DemoMail {
    pub kind: &'static str,
    pub provider: &'static str,
    pub failure: Option<&'static str>,
    pub at: Timestamp,
}

/// A download of the visa by the applicant.
pub struct DemoDownload {
    pub ip: String,
    pub agent: Agent,
    pub location: &'static str,
    pub at: Timestamp,
}

/// A visa that people buy: its code, the labels of its purposes, its days of stay, its price in whole dollars.
struct Product(&'static str, &'static str, &'static str, i32, i64);

const GENERAL: &str = "General, Family and Social";
const BUSINESS: &str = "Business and Government";
pub(super) const TOURISM: &str = "Tourism, Family Visit and Transit";

const PRODUCTS: &[(u32, Product)] = &[
    (560, Product("B1", GENERAL, TOURISM, 30, 79)),
    (170, Product("C1", GENERAL, TOURISM, 60, 149)),
    (60, Product("D1", GENERAL, TOURISM, 60, 279)),
    (70, Product("C2", BUSINESS, "Business Meetings and Promotion", 60, 189)),
    (40, Product("D2", BUSINESS, "Business Meetings and Promotion", 60, 319)),
    (30, Product("E33G", "Second Home and Long Stay", "Remote Work", 365, 549)),
    (30, Product("E31A", GENERAL, "Joining Family", 730, 489)),
    (20, Product("E28A", "Investment", "Investor", 730, 899)),
    (20, Product("E23", "Employment", "Professional Work", 365, 799)),
];

const REMARKS: &[&str] = &[
    "Passport scan is blurred, asked the customer for a new one.",
    "Called the customer, no answer. Will try again tomorrow.",
    "Customer confirmed the arrival date.",
    "Photo has a dark background, sent the requirements again.",
    "Submitted to immigration, waiting for the reply.",
    "Name differs between passport and form. Corrected after a call.",
    "Customer asks how long it still takes.",
    "客户要求加急处理。",
    "Pelanggan sudah mengirim dokumen tambahan.",
];

/// Generates the history of the order with the running number `number`, 0 being the oldest.
pub fn generate(world: &World, number: u64) -> Story {
    let (mut rng, mut order) = begin(world, number);
    if let Some(customer) = disputes::customer_of(world, number) {
        disputes::same_customer(&mut order, begin(world, customer).1);
    }
    let created_at = order.created_at;
    let mut story = OrderStory {
        world,
        rng: &mut rng,
        created_at,
        remarks: vec![],
        mails: vec![],
        downloads: vec![],
        chargeback: None,
    };
    story.build(&mut order, number);
    let OrderStory { remarks, mails, downloads, chargeback, .. } = story;
    Story { order, remarks, mails, downloads, chargeback, rng }
}

/// The order as it was received, and its random source.
fn begin(world: &World, number: u64) -> (ChaCha8Rng, NewOrder) {
    let mut rng = ChaCha8Rng::seed_from_u64(world.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
    let created_at = created_at(world, number, &mut rng);
    let order = application(&mut rng, number, created_at);
    (rng, order)
}

fn created_at(world: &World, number: u64, rng: &mut impl Rng) -> Timestamp {
    let from = world.starts_at(number);
    let seconds = (world.starts_at(number + 1) - from).num_seconds().max(1);
    from + TimeDelta::seconds(rng.random_range(0..seconds)) + TimeDelta::microseconds(rng.random_range(0..1_000_000))
}

/// `FULL NAME` as the applicant typed it, and its Latin parts.
fn names(rng: &mut impl Rng, origin: &HomeCountry) -> (String, &'static str, &'static str) {
    let (first, last) = (rng.random_range(0..origin.first.len()), rng.random_range(0..origin.last.len()));
    let (latin_first, latin_last) = (origin.first[first], origin.last[last]);
    let full = match &origin.native {
        Some(native) if in_percent(rng, 35) => {
            let (first, last) = (native.first[first % native.first.len()], native.last[last % native.last.len()]);
            match native.order {
                NameOrder::FirstLast => format!("{first} {last}"),
                NameOrder::FamilyFirst => format!("{last}{first}"),
            }
        }
        _ => format!("{latin_first} {latin_last}"),
    };
    (full, latin_first, latin_last)
}

/// The local part of an email, from a name.
fn mailbox(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    name.nfkd().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

fn application(rng: &mut impl Rng, number: u64, created_at: Timestamp) -> NewOrder {
    let origin = weighted(rng, ORIGINS, |origin| origin.weight);
    let (full_name, first, last) = names(rng, origin);
    let (_, Product(code, main_purpose, sub_purpose, stay, price)) = weighted(rng, PRODUCTS, |(weight, _)| *weight);
    let domain = one_of(rng, &["example.com", "example.net", "example.org"]);
    let email = format!("{}.{}{}@{domain}", mailbox(first), mailbox(last), rng.random_range(1..9_999));
    let day = created_at.date_naive();
    let mode = if in_percent(rng, 18) { ProcessingMode::Priority } else { ProcessingMode::Regular };
    let agent = one_of(rng, AGENTS);
    let dollars = price + if mode == ProcessingMode::Priority { 60 } else { 0 };
    let city = one_of(rng, origin.cities);
    let text = |text: &str| Some(text.to_owned());
    NewOrder {
        source_id: None,
        kept: Vec::new(),
        external_reference: Some(format!("WEB-{:08}", number + 1)),
        process_status: ProcessStatus::New,
        status_before_deletion: None,
        processing_mode: mode,
        processing_date: in_percent(rng, 30).then(|| day + TimeDelta::days(rng.random_range(1..60))),
        contact_email_address: email.clone(),
        country_code: text(origin.country_code),
        phone_number: Some(digits(rng, 9)),
        nationality: text(origin.nationality),
        visa_type: text(code),
        assign_to: None,
        processed_by: None,
        processed_at: None,
        refund_date: None,
        transaction: None,
        created_at,
        application: Application {
            account_email: in_percent(rng, 15).then(|| format!("{}@example.com", mailbox(last))).or(Some(email)),
            first_name: text(first),
            middle_name: None,
            last_name: text(last),
            sex: text(one_of(rng, &["Male", "Female"])),
            place_of_birth: text(city),
            date_of_birth: Some(day - TimeDelta::days(rng.random_range(18 * 365..75 * 365))),
            passport_from: text(origin.nationality),
            main_purpose_of_visit: text(main_purpose),
            sub_purpose_of_visit: text(sub_purpose),
            stay_day: Some(*stay),
            arrival_date: Some(day + TimeDelta::days(25 + i64::try_from(number % 65).unwrap_or(0))),
            document_type: text("Passport"),
            document_number: Some(format!("{}{}", char::from(b'A' + rng.random_range(0..26)), digits(rng, 8))),
            date_of_expiry: Some(day + TimeDelta::days(rng.random_range(250..3_600))),
            issuing_place: text(city),
            residence_type: text(one_of(rng, &["Hotel", "Villa", "Private residence"])),
            address: Some(format!("Jalan {} {}", one_of(rng, STREETS), rng.random_range(1..200))),
            postal_code: Some(format!("80{}", digits(rng, 3))),
            province: text("Bali"),
            city: text("Denpasar"),
            district: text(one_of(rng, &["Kuta", "Ubud", "Denpasar Selatan"])),
            village: text(one_of(rng, &["Seminyak", "Legian", "Sanur"])),
            immigration_office: text("Ngurah Rai"),
            signature_name: Some(full_name.clone()),
        },
        checkout: Some(Checkout {
            purchase_ip: Some(address(rng)),
            user_agent: text(agent.user_agent),
            device_id: Some(format!("{:016x}", rng.random::<u64>())),
            three_d_secure: text(one_of(rng, &["authenticated", "attempted", "not enrolled"])),
            terms_version: text("2025-03"),
            terms_accepted_at: Some(created_at),
        }),
        payment: Some(payment(rng, dollars, created_at)),
        full_name,
    }
}

fn payment(rng: &mut impl Rng, dollars: i64, created_at: Timestamp) -> Payment {
    Payment {
        gateway: one_of(rng, &["Stripe", "Adyen"]).to_string(),
        payment_reference: format!("pay_{:012x}", rng.random_range(0..1u64 << 48)),
        amount_minor: dollars * 100,
        currency: Currency::parse(one_of(rng, &["USD", "USD", "AUD", "EUR", "GBP"])).unwrap_or(Currency::WIDEST),
        card_brand: Some(one_of(rng, &["Visa", "Mastercard", "American Express"]).to_string()),
        card_last_four: Some(digits(rng, 4)),
        paid_at: created_at + TimeDelta::seconds(rng.random_range(5..90)),
    }
}

const STREETS: &[&str] =
    &["Raya Kuta", "Monkey Forest", "Sunset Road", "Petitenget", "Danau Tamblingan", "Bypass Ngurah Rai"];

/// Builds what happens to an order between its receipt and today.
struct OrderStory<'a, R> {
    world: &'a World,
    rng: &'a mut R,
    created_at: Timestamp,
    remarks: Vec<DemoRemark>,
    mails: Vec<DemoMail>,
    downloads: Vec<DemoDownload>,
    chargeback: Option<NewDispute>,
}

impl<R: Rng> OrderStory<'_, R> {
    fn build(&mut self, order: &mut NewOrder, number: u64) {
        let drawn = self.status(number);
        let status = match disputes::shown(self.world, number) {
            Some(_) => ProcessStatus::ChargeBack,
            None if disputes::customer_of(self.world, number).is_some() => ProcessStatus::Completed,
            None => drawn,
        };
        order.process_status = status;
        match status {
            ProcessStatus::New | ProcessStatus::Pending => {}
            ProcessStatus::Future => {
                order.processing_date = Some(self.world.today + TimeDelta::days(self.rng.random_range(1..330)));
            }
            ProcessStatus::Completed => self.complete(order),
            ProcessStatus::Deleted => {
                let before = [ProcessStatus::New, ProcessStatus::Pending, ProcessStatus::Awaiting];
                order.status_before_deletion = Some(one_of(self.rng, &before));
            }
            ProcessStatus::ChargeBack => {
                self.complete(order);
                self.remark("The card holder disputes the payment.", |remark| remark.chargeback = true);
            }
            ProcessStatus::Refunds => {
                self.remark("Customer cancelled the journey and asks for a refund.", |remark| remark.refund = true);
                if in_percent(self.rng, 85) {
                    order.refund_date = Some(self.later(20 * 24));
                    self.mail("refund");
                }
            }
            ProcessStatus::Awaiting
            | ProcessStatus::AwaitingGovt
            | ProcessStatus::ContactCustomer
            | ProcessStatus::CustomerCalled => {
                let text = one_of(self.rng, REMARKS);
                self.remark(text, |remark| remark.telephone = status == ProcessStatus::CustomerCalled);
            }
        }
        if status == ProcessStatus::Pending || order.status_before_deletion == Some(ProcessStatus::Pending) {
            order.payment = None;
        }
        let taken = match status {
            ProcessStatus::New => 20,
            ProcessStatus::Awaiting | ProcessStatus::AwaitingGovt | ProcessStatus::CustomerCalled => 70,
            ProcessStatus::ContactCustomer => 50,
            _ => 0,
        };
        if in_percent(self.rng, taken) {
            order.assign_to = self.any_member();
        }
        while in_percent(self.rng, 30) {
            let text = one_of(self.rng, REMARKS);
            let whatsapp = in_percent(self.rng, 40);
            self.remark(text, |remark| remark.whatsapp = whatsapp);
        }
        self.remarks.sort_by_key(|remark| remark.at);
        if status == ProcessStatus::ChargeBack {
            self.chargeback = Some(disputes::add(self.rng, self.world, number, order));
        }
    }

    /// The newest orders are at work; the older ones are done.
    fn status(&mut self, number: u64) -> ProcessStatus {
        use ProcessStatus::*;
        let shares: &[(u32, ProcessStatus)] = if number >= self.world.first_at_work() {
            &[
                (300, New),
                (110, Pending),
                (70, Future),
                (100, Awaiting),
                (130, AwaitingGovt),
                (60, ContactCustomer),
                (50, CustomerCalled),
                (120, Completed),
                (30, Refunds),
                (10, ChargeBack),
                (20, Deleted),
            ]
        } else {
            &[(912, Completed), (42, Refunds), (13, ChargeBack), (33, Deleted)]
        };
        weighted(self.rng, shares, |(weight, _)| *weight).1
    }

    fn complete(&mut self, order: &mut NewOrder) {
        let at = self.later(6 * 24);
        order.processed_at = Some(at);
        order.processed_by = self.any_member();
        order.assign_to = order.processed_by;
        self.mail_at("approval", at);
        let mut agent = one_of(self.rng, AGENTS);
        while in_percent(self.rng, 55) && self.downloads.len() < 8 {
            let after = TimeDelta::minutes(self.rng.random_range(3..4_000));
            let at = self.by_today(at, at + after);
            let location = one_of(self.rng, &["Australia", "Singapore", "Indonesia", "United Kingdom", "-"]);
            self.downloads.push(DemoDownload { ip: address(self.rng), agent, location, at });
            agent = one_of(self.rng, AGENTS);
        }
        self.downloads.sort_by_key(|download| download.at);
    }

    fn mail(&mut self, kind: &'static str) {
        let at = self.later(6 * 24);
        self.mail_at(kind, at);
    }

    /// A mail; now and then the first try fails and another follows some minutes later.
    fn mail_at(&mut self, kind: &'static str, at: Timestamp) {
        let provider = one_of(self.rng, &["AWS", "AWS", "AWS", "Sendgrid"]);
        if in_percent(self.rng, 2) {
            let failure = Some("550 5.1.1 The mailbox does not exist");
            self.mails.push(DemoMail { kind, provider, failure, at });
            let again = self.by_today(at, at + TimeDelta::minutes(12));
            self.mails.push(DemoMail { kind, provider, failure: None, at: again });
            return;
        }
        self.mails.push(DemoMail { kind, provider, failure: None, at });
    }

    fn remark(&mut self, text: &'static str, mark: impl FnOnce(&mut DemoRemark)) {
        let at = self.later(10 * 24);
        let Some(staff_id) = self.any_member() else { return };
        let mut remark =
            DemoRemark { staff_id, text, whatsapp: false, telephone: false, refund: false, chargeback: false, at };
        mark(&mut remark);
        self.remarks.push(remark);
    }

    fn any_member(&mut self) -> Option<StaffId> {
        if self.world.staff.is_empty() { None } else { Some(one_of(self.rng, &self.world.staff)) }
    }

    /// Some time after the order was received, within so many hours, and before today.
    fn later(&mut self, hours: i64) -> Timestamp {
        let at = self.created_at + TimeDelta::seconds(self.rng.random_range(600..hours * 3_600));
        self.by_today(self.created_at, at)
    }

    /// `at`, or half way from `since` to the start of today if `at` is later than that.
    fn by_today(&self, since: Timestamp, at: Timestamp) -> Timestamp {
        let until = self.world.until;
        if at <= until { at } else { since + (until - since) / 2 }
    }
}
