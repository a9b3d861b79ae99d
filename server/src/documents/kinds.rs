//! Where each kind of document comes from, and so where it may go: the one table about it (invariants 6 and 7). Pure.

use crate::text_enum;
use crate::visas::catalogue;

/// The kind of the issued visa. Applicants cannot upload it.
pub const VISA: &str = "visa";

/// The kind of an issued visa that is not delivered yet: its scan is being read, or a member has to decide about it.
pub const WAITING_VISA: &str = "waiting_visa";

/// The kind of an issued visa whose delivery was undone. Only staff see it, and only among the issued visas.
pub const WITHDRAWN_VISA: &str = "withdrawn_visa";

/// The kind of the receipt that the government's portal gives for its fee.
pub const FILING_RECEIPT: &str = "filing_receipt";

/// The kind of a photograph in the form that the government's portal takes, which the program makes of the applicant's.
pub const PORTAL_PHOTOGRAPH: &str = "portal_photograph";

/// The kinds that every order has, besides the documents of the catalogue.
pub const PICTURES: [&str; 2] = ["passport_picture", "upload_picture"];

text_enum! {
    /// Where a document comes from.
    pub enum Origin {
        /// The applicant, or the sales site for the applicant.
        Applicant = "applicant",
        /// The program, from a document of the applicant.
        Generated = "generated",
        /// The government's portal, for the agency.
        Portal = "portal",
        /// The government, for the applicant: the visa.
        Issued = "issued",
        /// The same, before its delivery.
        Waiting = "waiting",
        /// A visa that was uploaded to the wrong order: it may be that of another person.
        Withdrawn = "withdrawn",
        /// A kind that no rule knows.
        Unknown = "unknown",
    }
}

impl Origin {
    /// The origin of a stored kind.
    pub fn of(kind: &str) -> Self {
        match kind {
            VISA => Self::Issued,
            WAITING_VISA => Self::Waiting,
            WITHDRAWN_VISA => Self::Withdrawn,
            FILING_RECEIPT => Self::Portal,
            PORTAL_PHOTOGRAPH => Self::Generated,
            kind if is_of_applicant(kind) => Self::Applicant,
            _ => Self::Unknown,
        }
    }

    /// Goes to the government with the application.
    pub fn is_filed(self) -> bool {
        match self {
            Self::Applicant | Self::Generated => true,
            Self::Portal | Self::Issued | Self::Waiting | Self::Withdrawn | Self::Unknown => false,
        }
    }

    /// Counts as received from the customer in statements to a bank.
    pub fn is_received(self) -> bool {
        match self {
            Self::Applicant => true,
            Self::Generated | Self::Portal | Self::Issued | Self::Waiting | Self::Withdrawn | Self::Unknown => false,
        }
    }

    /// The applicant may open it and gets it by email.
    pub fn is_delivered(self) -> bool {
        match self {
            Self::Issued => true,
            Self::Applicant | Self::Generated | Self::Portal | Self::Waiting | Self::Withdrawn | Self::Unknown => false,
        }
    }

    /// Staff find it among the issued visas of the order, not among its documents.
    pub fn is_among_visas(self) -> bool {
        match self {
            Self::Issued | Self::Waiting | Self::Withdrawn => true,
            Self::Applicant | Self::Generated | Self::Portal | Self::Unknown => false,
        }
    }
}

/// The applicant, or the sales site, may upload the kind: a picture that every order has, or a document of the catalogue.
pub fn is_of_applicant(kind: &str) -> bool {
    PICTURES.contains(&kind) || catalogue::document_label(kind).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_goes_where_its_origin_allows() {
        let goes = |kind| {
            let origin = Origin::of(kind);
            [origin.is_filed(), origin.is_received(), origin.is_delivered(), origin.is_among_visas()]
        };
        for kind in ["passport_picture", "upload_picture", "bank_statement"] {
            assert_eq!(goes(kind), [true, true, false, false], "{kind}");
        }
        assert_eq!(goes(PORTAL_PHOTOGRAPH), [true, false, false, false]);
        assert_eq!(goes(FILING_RECEIPT), [false; 4]);
        assert_eq!(goes(VISA), [false, false, true, true]);
        assert_eq!(goes(WAITING_VISA), [false, false, false, true]);
        assert_eq!(goes(WITHDRAWN_VISA), [false, false, false, true]);
        assert_eq!(goes("a_kind_of_a_later_release"), [false; 4]);
    }
}
