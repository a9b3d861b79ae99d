//! Adds a remark to an order.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::entry::RemarkEntry;
use super::{Remarks, writing};
use crate::error::Result;
use crate::http::answer::{Found, StoredResponse};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::rules::remarks::{self as rules, NewRemark};
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Remarks>> {
    OpenApiRouter::new().routes(call!(add_remark))
}

/// Flags are `Y` or empty.
#[derive(Deserialize, ToSchema)]
pub struct AddRemark {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// May have several lines.
    #[schema(required, nullable = false)]
    remark: Option<String>,
    /// Ignored: the author is the caller.
    #[serde(rename = "remarkerName")]
    #[expect(dead_code, reason = "the wire carries it")]
    remarker_name: Option<String>,
    /// `Y`: the customer was contacted by WhatsApp.
    whatsapp: Option<String>,
    /// `Y`: the customer was contacted by telephone.
    telephone: Option<String>,
    /// `Y`: the remark is about a refund.
    #[serde(rename = "statusRefund")]
    status_refund: Option<String>,
    /// `Y`: the remark is about a voided payment.
    voided: Option<String>,
    /// `Y`: the remark is about a chargeback.
    #[serde(rename = "chargeBack")]
    charge_back: Option<String>,
}

impl AddRemark {
    fn check(&self) -> Result<NewRemark> {
        let flag = |name, given: &Option<String>| rules::remark_flag(name, given.as_deref().unwrap_or_default());
        Ok(NewRemark {
            text: rules::remark_text(self.remark.as_deref().unwrap_or_default())?,
            whatsapp: flag("whatsapp", &self.whatsapp)?,
            telephone: flag("telephone", &self.telephone)?,
            status_refund: flag("statusRefund", &self.status_refund)?,
            voided: flag("voided", &self.voided)?,
            chargeback: flag("chargeBack", &self.charge_back)?,
        })
    }
}

/// Add a remark by the caller to an order. Members whom it mentions (`@Budi`) find it in their inbox.
#[utoipa::path(post, path = "/admin/add-new-remark", request_body = AddRemark,
    responses((status = 200, body = Found<RemarkEntry>)))]
pub async fn add_remark(
    State(room): State<Arc<Remarks>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<AddRemark>,
) -> Result<StoredResponse> {
    let (id, new, now) = (body.order_id, body.check()?, room.clock.now());
    idempotent
        .write(&room.db, move |tx| {
            let remark = writing::add(tx, &staff, id, &new, &[], now)?;
            let data = RemarkEntry::new(id, remark, staff.name.clone());
            Ok(Found { status: 1, message: "The remark has been added successfully".into(), data })
        })
        .await
}
