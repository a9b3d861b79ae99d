//! The response to the sales site.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Found;
use crate::ids::OrderId;
use crate::orders::rules::fields::{FieldError, KeptValue};
use crate::papers::rules::CheckState;

/// The id of an order, and its printed number.
#[derive(Serialize, ToSchema)]
pub struct OrderReference {
    /// The order's id.
    order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    order_number: String,
}

/// A new order, and its fields that are not understood.
#[derive(Serialize, ToSchema)]
pub struct TakenOrder {
    #[serde(flatten)]
    order: OrderReference,
    /// The fields that are not understood, and kept as they were sent: staff see them. Empty: all is well.
    warnings: Vec<FieldError>,
}

impl TakenOrder {
    pub fn new(order: OrderReference, kept: &[KeptValue]) -> Self {
        let warning = |kept: &KeptValue| Some(FieldError { field: kept.field.clone(), reason: kept.reason.clone()? });
        Self { order, warnings: kept.iter().filter_map(warning).collect() }
    }
}

/// The response that names an order.
pub fn order_reference(order_id: OrderId, message: &str) -> Found<OrderReference> {
    Found { status: 1, message: message.into(), data: OrderReference { order_id, order_number: order_id.printed() } }
}

/// A document that was taken in, and its order.
#[derive(Serialize, ToSchema)]
pub struct DocumentReference {
    /// The order's id.
    order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    order_number: String,
    /// `pending`: the document is being checked, and `GET /api/intake/orders/{id}` says what the check finds. Null: documents of its kind
    /// are not checked.
    check: Option<CheckState>,
}

/// The response to a document.
pub fn document_reference(order_id: OrderId, is_checked: bool) -> Found<DocumentReference> {
    let check = is_checked.then_some(CheckState::Pending);
    let data = DocumentReference { order_id, order_number: order_id.printed(), check };
    Found { status: 1, message: "The document has been taken in".into(), data }
}
