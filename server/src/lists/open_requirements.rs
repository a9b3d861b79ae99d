//! The open requirements of orders that lists are filtered by.

use std::sync::Arc;

use super::Lists;
use super::returned::returned;
use crate::documents::rules::required_documents;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::filtered::MAX_EXAMINED;
use crate::orders::rules::filter::{OrderProblem, RequirementFilter};
use crate::paper_requests::store::list_waiting;
use crate::text_enum;

text_enum! {
    /// An open requirement of an order, as its row in a list shows it.
    pub enum OpenRequirement {
        /// The applicant was asked for documents, which have not all arrived.
        DocumentsRequested = "documents_requested",
        /// The applicant sent every document that was requested or missing, and the order has not been touched since.
        DocumentsReceived = "documents_received",
        /// A document that the visa type always requires is missing.
        DocumentsMissing = "documents_missing",
        /// A check of the documents found a problem that no member has reviewed.
        DocumentsToReview = "documents_to_review",
        /// The check of the issued visa found a problem that no member has reviewed.
        VisaToReview = "visa_to_review",
        /// Fields that are not understood wait for a member.
        UnclearFields = "unclear_fields",
        /// The newest email failed or may not have arrived.
        EmailNotSent = "email_not_sent",
        /// None of the others, except that the applicant may have sent documents.
        Nothing = "nothing",
    }
}

impl OpenRequirement {
    /// The condition for orders. Reads which orders wait for their applicants; which came back is as old as in the lists, at most a minute.
    pub async fn condition(self, room: &Lists) -> Result<RequirementFilter> {
        let problem = |problem| Ok(RequirementFilter::Problem(problem, required_documents()));
        match self {
            Self::DocumentsRequested => Ok(RequirementFilter::Among(waiting(room).await?)),
            Self::DocumentsReceived => Ok(RequirementFilter::Among(returned(room).await?)),
            Self::DocumentsMissing => problem(OrderProblem::MissingDocuments),
            Self::DocumentsToReview => problem(OrderProblem::Documents),
            Self::VisaToReview => problem(OrderProblem::Visa),
            Self::UnclearFields => problem(OrderProblem::UnclearFields),
            Self::EmailNotSent => problem(OrderProblem::Email),
            Self::Nothing => Ok(RequirementFilter::Nothing(waiting(room).await?, required_documents())),
        }
    }
}

/// The newest orders that wait for documents of their applicants.
async fn waiting(room: &Lists) -> Result<Arc<Vec<OrderId>>> {
    Ok(Arc::new(room.db.read_briefly(|conn| list_waiting(conn, MAX_EXAMINED)).await?))
}
