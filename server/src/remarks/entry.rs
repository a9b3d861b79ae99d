//! A remark on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::est;
use crate::ids::OrderId;
use crate::orders::remarks::Remark;
use crate::timestamp::Timestamp;

/// A remark of a member of staff. Flags are `Y` or empty.
#[derive(Serialize, ToSchema)]
pub struct RemarkEntry {
    /// The remark's id.
    pub id: i64,
    /// The order's id.
    pub order_id: OrderId,
    /// MM/DD/YYYY at −05:00.
    pub us_date: String,
    /// HH:mm:ss at −05:00.
    pub us_time: String,
    /// The author.
    pub remark_name: String,
    /// The text, which may have several lines.
    pub remark: String,
    /// The customer was contacted by WhatsApp.
    pub whatsapp: &'static str,
    /// The customer was contacted by telephone.
    pub telephone: &'static str,
    /// The remark is about a refund.
    pub status_refund: &'static str,
    /// The remark is about a voided payment.
    pub voided: &'static str,
    /// The remark is about a chargeback.
    pub chargeback: &'static str,
    /// The remark reports an error.
    pub report_error: &'static str,
}

impl RemarkEntry {
    pub fn new(id: OrderId, remark: Remark, author: String) -> Self {
        let flag = |set: bool| if set { "Y" } else { "" };
        let at = |format: &str, at: Timestamp| at.with_timezone(&est()).format(format).to_string();
        Self {
            id: remark.remark_id,
            order_id: id,
            us_date: at("%m/%d/%Y", remark.created_at),
            us_time: at("%H:%M:%S", remark.created_at),
            remark_name: author,
            remark: remark.remark,
            whatsapp: flag(remark.whatsapp),
            telephone: flag(remark.telephone),
            status_refund: flag(remark.status_refund),
            voided: flag(remark.voided),
            chargeback: flag(remark.chargeback),
            report_error: flag(remark.report_error),
        }
    }
}
