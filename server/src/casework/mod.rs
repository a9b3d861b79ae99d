//! Casework: what staff do with orders, and the details of an order.
//!
//! - `lists.rs`: folders and search; `list_csv.rs`: a folder as a file; `list_requests.rs`: what they are asked for; `list_rows.rs`: their
//!   rows, with what is wrong with each. `list_settings.rs`: how a member wants to see them.
//! - `find_orders.rs`: finds a few orders in all folders.
//! - `details.rs`: an order on the wire, with `detail_checkout.rs`, `detail_files.rs` and `detail_histories.rs`; `whole.rs`: reads it. `order_history.rs`:
//!   older rows of its histories.
//! - `corrections.rs`: corrects what a customer entered.
//! - `ask_for_papers.rs`: asks an applicant for papers; `paper_reminders.rs`: reminds them; `returned.rs`: the orders that
//!   came back.
//! - `duplicates.rs`: the orders that share a fact with an order.
//! - `selection.rs`: the selected orders of a call. `moves.rs`: owner and status; `undo.rs`: undoes such a change, with
//!   `undo_delivery.rs`; `remarks.rs`: remarks; `deliver.rs`: uploads the issued visa; `approval.rs`: delivers it; `visa_check.rs`:
//!   compares it with its order; `waiting_visas.rs`: delivers those that waited.
//! - `filing.rs`: files an application with the government, and records that it was refused; `filing_view.rs`: what is filed; `filing_warnings.rs`:
//!   what is open before it is; `filing_kit.rs`: its files.
//! - `refunds.rs`: refunds; `refund_approvals.rs`: those that a second person approves; `refund_mails.rs`: stops their mails while they
//!   wait; `take_back.rs`: takes a mistaken refund back.
//! - `mailed_links.rs`: revokes the links in an order's mails.
//! - `leaving.rs`: deletes a member of staff and gives back their orders.
//! - `home.rs`: the home screen; `attention.rs`: the orders that need a member of staff, `home_numbers.rs`: the last 30 days,
//!   `home_cache.rs`: keeps both. `rules.rs`: what is listed, why, and for whom.
//! - `minute_cache.rs`: keeps what was read for a minute.
//! - `errors.rs`: why a list, a search or an upload is refused.

pub mod approval;
pub mod ask_for_papers;
pub mod attention;
pub mod corrections;
pub mod deliver;
pub mod detail_checkout;
pub mod detail_files;
pub mod detail_histories;
pub mod details;
pub mod duplicates;
pub mod errors;
pub mod filing;
pub mod filing_kit;
pub mod filing_view;
pub mod filing_warnings;
pub mod find_orders;
pub mod home;
pub mod home_cache;
pub mod home_numbers;
pub mod leaving;
pub mod list_csv;
pub mod list_requests;
pub mod list_rows;
pub mod list_settings;
pub mod lists;
pub mod mailed_links;
pub mod minute_cache;
pub mod moves;
pub mod order_history;
pub mod paper_reminders;
pub mod refund_approvals;
pub mod refund_mails;
pub mod refunds;
pub mod remarks;
pub mod returned;
pub mod rules;
pub mod selection;
pub mod take_back;
pub mod undo;
pub mod undo_delivery;
pub mod visa_check;
pub mod waiting_visas;
pub mod whole;

use std::sync::Arc;

use self::home_cache::HomeCache;
use self::minute_cache::MinuteCache;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::deliveries::Deliveries;
use crate::deliveries::text::TextReader;
use crate::documents::Documents;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::mail::Mail;
use crate::orders::sample::Sample;

/// The dependencies of casework.
pub struct Casework {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub texts: TextReader,
    pub deliveries: Arc<Deliveries>,
    pub mail: Arc<Mail>,
    pub lifecycle: Arc<Lifecycle>,
    pub home: HomeCache,
    pub samples: MinuteCache<(), Sample>,
    pub returned: MinuteCache<(), Vec<OrderId>>,
}
