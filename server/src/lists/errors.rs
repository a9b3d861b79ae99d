//! Why a list, a search or a history is refused.

use derive::Reason;

/// Why a list, a search or a history is refused.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum ListError {
    #[error("limit is a number from 1 to {0}")]
    InvalidPageLimit(i64),
    #[error("before is the older of a previous response")]
    InvalidHistoryPosition,
    #[error("page is a number from 1")]
    InvalidPageNumber,
    #[error("start and end are row numbers, at most {0} apart")]
    InvalidRowRange(i64),
    #[error("ids are order ids, separated by commas, at most {0}")]
    InvalidRowIds(usize),
    #[error("Please search for at most {0} characters")]
    SearchTermTooLong(usize),
    #[error("month is January to December")]
    InvalidProcessingMonth,
    #[error("year is a year such as 2026")]
    InvalidProcessingYear,
    #[error("{0} has no column {1} that can be hidden")]
    UnknownColumn(&'static str, String),
    #[error("Only ChargeBack orders can be sorted by urgency, and not those of one need alone")]
    SortNotOfFolder,
    #[error("owner is none, me, or the id of a member")]
    InvalidOwnerFilter,
    #[error("status is a status of orders, such as Awaiting")]
    InvalidStatusFilter,
    #[error("mode is Regular Processing or Priority Processing")]
    InvalidModeFilter,
    #[error("requirement is an open requirement, such as documents_missing")]
    InvalidRequirementFilter,
    #[error("visa is a code of the visa catalogue, such as C1")]
    InvalidVisaFilter,
    #[error("nationality is the name or the code of a country")]
    InvalidNationalityFilter,
    #[error("Please name the view in 1 to {0} characters")]
    InvalidViewName(usize),
    #[error("Please filter the list before you save it as a view")]
    ViewWithoutFilter,
    #[error("Please delete a view first: there are {0} already")]
    #[reason(Conflict)]
    TooManyViews(i64),
    #[error("Only Admins and Managers save and delete shared views")]
    #[reason(Forbidden)]
    SharedViewClosed,
    #[error("There is no such view. Please reload the page")]
    #[reason(NotFound)]
    SavedViewNotFound,
}
