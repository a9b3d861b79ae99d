//! The filter of a list as it is sent.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Lists;
use super::errors::ListError;
use super::open_requirements::OpenRequirement;
use crate::calendar::{self, CalendarError};
use crate::error::Result;
use crate::ids::{self, StaffId};
use crate::orders::rules::ProcessingMode;
use crate::orders::rules::country::Country;
use crate::orders::rules::filter::{OrderFilter, OwnerFilter};
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;
use crate::visas::catalogue::visa_code;

/// The owner that stands for the caller.
const ME: &str = "me";
/// The owner of unassigned orders.
const NONE: &str = "none";

/// The values that an order must have; those that are absent or empty may be any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SentFilter {
    /// Only orders of this owner: a staff id, `me`, or `none` for unassigned orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    /// Only orders in this status.
    #[param(inline, value_type = Option<ProcessStatus>)]
    #[schema(value_type = Option<ProcessStatus>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    /// Only orders of this visa type: a code of the visa catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    visa: Option<String>,
    /// Only orders with this nationality in any spelling: the name or the code of a country.
    #[serde(skip_serializing_if = "Option::is_none")]
    nationality: Option<String>,
    /// Only orders with this processing.
    #[param(inline, value_type = Option<ProcessingMode>)]
    #[schema(value_type = Option<ProcessingMode>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// Only orders received on this day or later, YYYY-MM-DD in the agency's time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// Only orders received on this day or earlier, YYYY-MM-DD in the agency's time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// Only orders whose applicant arrives on this day or later, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrival_from: Option<String>,
    /// Only orders whose applicant arrives on this day or earlier, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrival_to: Option<String>,
    /// Only orders with this open requirement.
    #[param(inline, value_type = Option<OpenRequirement>)]
    #[schema(value_type = Option<OpenRequirement>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    requirement: Option<String>,
}

impl SentFilter {
    /// The filter for a caller; none if it is empty.
    ///
    /// # Errors
    /// [`ListError`] and [`CalendarError`].
    pub async fn read(self, staff: &Staff, room: &Lists) -> Result<Option<OrderFilter>> {
        if self == Self::default() {
            return Ok(None);
        }
        let zone = room.config.time_zone;
        let requirement = match given(self.requirement.as_deref()).map(requirement).transpose()? {
            Some(requirement) => Some(requirement.condition(room).await?),
            None => None,
        };
        let (from, to) = days(self.from.as_deref(), "from", self.to.as_deref(), "to")?;
        let (arrival_from, arrival_to) =
            days(self.arrival_from.as_deref(), "arrival from", self.arrival_to.as_deref(), "arrival to")?;
        let filter = OrderFilter {
            owner: given(self.owner.as_deref()).map(|owner| owner_of(owner, staff)).transpose()?,
            status: given(self.status.as_deref()).map(status).transpose()?,
            visa: given(self.visa.as_deref()).map(visa).transpose()?,
            nationality: given(self.nationality.as_deref()).map(country).transpose()?,
            mode: given(self.mode.as_deref()).map(mode).transpose()?,
            received_from: from.map(|day| calendar::start(day, zone)),
            received_until: to.map(|day| calendar::end(day, zone)),
            arrival_from,
            arrival_to,
            requirement,
        };
        Ok((!filter.is_empty()).then_some(filter))
    }
}

/// A text that is not empty.
fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn owner_of(owner: &str, staff: &Staff) -> Result<OwnerFilter, ListError> {
    match owner {
        NONE => Ok(OwnerFilter::Unassigned),
        ME => Ok(OwnerFilter::Member(staff.id)),
        id => ids::parse_plain(id).map(|id| OwnerFilter::Member(StaffId(id))).ok_or(ListError::InvalidOwnerFilter),
    }
}

fn status(text: &str) -> Result<ProcessStatus, ListError> {
    ProcessStatus::parse(text).ok_or(ListError::InvalidStatusFilter)
}

fn mode(text: &str) -> Result<ProcessingMode, ListError> {
    ProcessingMode::parse(text).ok_or(ListError::InvalidModeFilter)
}

fn requirement(text: &str) -> Result<OpenRequirement, ListError> {
    OpenRequirement::parse(text).ok_or(ListError::InvalidRequirementFilter)
}

fn visa(text: &str) -> Result<String, ListError> {
    visa_code(text).map(ToOwned::to_owned).ok_or(ListError::InvalidVisaFilter)
}

fn country(text: &str) -> Result<Country, ListError> {
    let country = Country::read(Some(text)).filter(|country| country.code().is_some());
    country.ok_or(ListError::InvalidNationalityFilter)
}

/// Two days, either of which may be open. Both are included.
fn days(
    from: Option<&str>,
    from_name: &str,
    to: Option<&str>,
    to_name: &str,
) -> Result<(Option<NaiveDate>, Option<NaiveDate>)> {
    let day = |text: Option<&str>, name: &str| given(text).map(|text| calendar::day(text, name)).transpose();
    let (from, to) = (day(from, from_name)?, day(to, to_name)?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(CalendarError::PeriodReversed.into());
    }
    Ok((from, to))
}
