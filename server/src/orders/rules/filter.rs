//! The filter of a list: the values that an order must have. Pure.

use std::sync::Arc;

use chrono::NaiveDate;

use super::ProcessingMode;
use super::country::Country;
use crate::ids::{OrderId, StaffId};
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// The owner that an order must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerFilter {
    Unassigned,
    Member(StaffId),
}

/// A problem of an order that lists show, and that a member settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderProblem {
    /// A document that its visa type always requires is missing.
    MissingDocuments,
    /// A check of its documents found something that no member has reviewed.
    Documents,
    /// The check of its issued visa found something that no member has reviewed.
    Visa,
    /// Fields are kept as they were sent, because they are not understood.
    UnclearFields,
    /// Its newest email did not surely arrive.
    Email,
}

impl OrderProblem {
    pub const ALL: &'static [Self] =
        &[Self::MissingDocuments, Self::Documents, Self::Visa, Self::UnclearFields, Self::Email];
}

/// The documents that some visa types always require.
#[derive(Clone, Debug)]
pub struct RequiredDocuments {
    /// Codes of the visa catalogue.
    pub visa_types: Vec<&'static str>,
    /// The two kinds of files that each document may be.
    pub documents: Vec<[&'static str; 2]>,
}

/// The open requirement that an order must have.
#[derive(Clone, Debug)]
pub enum RequirementFilter {
    /// It is one of these.
    Among(Arc<Vec<OrderId>>),
    Problem(OrderProblem, &'static [RequiredDocuments]),
    /// It has none of the problems and is none of these.
    Nothing(Arc<Vec<OrderId>>, &'static [RequiredDocuments]),
}

/// A filter. Each value that is given must match; without any, it admits every order.
#[derive(Clone, Debug, Default)]
pub struct OrderFilter {
    pub owner: Option<OwnerFilter>,
    pub status: Option<ProcessStatus>,
    /// A code of the visa catalogue.
    pub visa: Option<String>,
    /// Matches all spellings of the country.
    pub nationality: Option<Country>,
    pub mode: Option<ProcessingMode>,
    /// Orders received from this instant on.
    pub received_from: Option<Timestamp>,
    /// Orders received before this instant.
    pub received_until: Option<Timestamp>,
    /// Arrivals on this day and later.
    pub arrival_from: Option<NaiveDate>,
    /// Arrivals on this day and earlier.
    pub arrival_to: Option<NaiveDate>,
    pub requirement: Option<RequirementFilter>,
}

impl OrderFilter {
    /// Returns true if it admits every order.
    pub fn is_empty(&self) -> bool {
        let Self { owner, status, visa, nationality, mode, requirement, .. } = self;
        let Self { received_from, received_until, arrival_from, arrival_to, .. } = self;
        let is_given = owner.is_some() || status.is_some() || visa.is_some() || nationality.is_some() || mode.is_some();
        let has_day = [received_from, received_until].iter().any(|at| at.is_some());
        !is_given && !has_day && arrival_from.is_none() && arrival_to.is_none() && requirement.is_none()
    }

    /// Returns true if `nationality`, as it is stored, is that of the filter.
    pub fn admits_nationality(&self, nationality: &str) -> bool {
        let key = |country: Country| country.key();
        self.nationality.clone().is_none_or(|wanted| Country::read(Some(nationality)).map(key) == Some(wanted.key()))
    }
}
