//! The filters of the audit and of the access log, as their calls take them.

use chrono_tz::Tz;
use serde::Deserialize;
use utoipa::IntoParams;

use super::errors::AuditError;
use super::store::Filter;
use crate::calendar::{self, CalendarError};
use crate::error::Result;
use crate::ids::OrderId;

/// The most rows of one page.
const MAX_ROWS: i64 = 200;

/// Absent and empty filters match everything.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The person's name, exactly.
    person: Option<String>,
    /// An order's number: plain, printed or encoded.
    order: Option<String>,
    /// An action, exactly, such as `order.move` in the audit and `order.list` in the access log.
    action: Option<String>,
    /// The first day, in the agency's zone: YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY.
    from: Option<String>,
    /// The last day, inclusive.
    to: Option<String>,
    /// Rows of one response, 1 to 200; 50 by default.
    limit: Option<i64>,
    /// The `next` of the previous page.
    #[serde(rename = "olderThan")]
    older_than: Option<i64>,
}

impl PageQuery {
    /// The filter of a page, and the most rows of it.
    ///
    /// # Errors
    /// [`AuditError::InvalidAuditLimit`], and those of [`ExportQuery::check`].
    pub fn check(self, zone: Tz) -> Result<(Filter, i64)> {
        let Self { person, order, action, from, to, limit, older_than } = self;
        let filter = ExportQuery { person, order, action, from, to }.check(zone)?;
        let limit = limit.unwrap_or(50);
        if !(1..=MAX_ROWS).contains(&limit) {
            return Err(AuditError::InvalidAuditLimit { max: MAX_ROWS }.into());
        }
        Ok((Filter { older_than, ..filter }, limit))
    }
}

/// Absent and empty filters match everything.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The person's name, exactly.
    person: Option<String>,
    /// An order's number: plain, printed or encoded.
    order: Option<String>,
    /// An action, exactly, such as `order.list`.
    action: Option<String>,
    /// The first day, in the agency's zone: YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY.
    from: Option<String>,
    /// The last day, inclusive.
    to: Option<String>,
}

impl ExportQuery {
    /// The filter.
    ///
    /// # Errors
    /// [`CalendarError`], [`AuditError::InvalidAuditOrder`].
    pub fn check(self, zone: Tz) -> Result<Filter> {
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let day = |text: Option<String>, name| given(text).map(|text| calendar::day(&text, name)).transpose();
        let (from, to) = (day(self.from, "from")?, day(self.to, "to")?);
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return Err(CalendarError::PeriodReversed.into());
        }
        let order = given(self.order).map(|order| OrderId::parse(&order).ok_or(AuditError::InvalidAuditOrder));
        Ok(Filter {
            actor: given(self.person),
            order_id: order.transpose()?,
            action: given(self.action),
            from: from.map(|day| calendar::start(day, zone)),
            until: to.map(|day| calendar::end(day, zone)),
            older_than: None,
        })
    }
}
