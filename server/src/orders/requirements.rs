//! The open requirements of orders as conditions. What lists show of an order's files and emails is in columns of the order, so they read no other
//! table.

use diesel::dsl::{not, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::rules::filter::{OrderProblem, RequiredDocuments, RequirementFilter};
use super::status::ProcessStatus;
use crate::db::one_of::{Both, one_of};
use crate::db::schema::orders;

/// Adds the condition that an order has the open requirement.
pub fn with_requirement<'q, Columns>(
    query: orders::BoxedQuery<'q, Both, Columns>,
    requirement: &RequirementFilter,
) -> orders::BoxedQuery<'q, Both, Columns> {
    match requirement {
        RequirementFilter::Among(ids) => query.filter(one_of(orders::order_id, ids)),
        RequirementFilter::Problem(problem, required) => query.filter(sql::<Bool>(&condition(*problem, required))),
        RequirementFilter::Nothing(ids, required) => {
            let conditions = OrderProblem::ALL.iter().map(|problem| condition(*problem, required));
            let none = format!("NOT ({})", conditions.collect::<Vec<_>>().join(" OR "));
            query.filter(sql::<Bool>(&none)).filter(not(one_of(orders::order_id, ids)))
        }
    }
}

/// The condition that an order has a problem, which is never NULL. It consists of column names and constants.
fn condition(problem: OrderProblem, required: &[RequiredDocuments]) -> String {
    let awaits_documents =
        || format!("{} AND NOT orders.had_visa_or_dispute", ProcessStatus::condition(ProcessStatus::needs_documents));
    match problem {
        OrderProblem::MissingDocuments => {
            let missing: Vec<String> = required.iter().map(missing_documents).collect();
            format!("(orders.visa_type IS NOT NULL AND {} AND ({}))", awaits_documents(), missing.join(" OR "))
        }
        OrderProblem::Documents => format!("(orders.papers_problem IS NOT NULL AND {})", awaits_documents()),
        OrderProblem::Visa => "(orders.visa_problem IS NOT NULL)".to_owned(),
        OrderProblem::UnclearFields => {
            let is_open = ProcessStatus::condition(|status| !status.is_final());
            format!("(orders.unclear_fields > 0 AND {is_open})")
        }
        OrderProblem::Email => {
            let is_emailed = ProcessStatus::condition(ProcessStatus::may_be_emailed_about);
            format!("(orders.mail_problem IS NOT NULL AND {is_emailed})")
        }
    }
}

/// The condition that an order has one of the visa types and lacks one of their documents.
fn missing_documents(required: &RequiredDocuments) -> String {
    let RequiredDocuments { visa_types, documents } = required;
    let is_given = |kind: &str| {
        let kind = kind.replace('_', "\\_");
        format!("(',' || coalesce(orders.document_kinds, '') || ',') LIKE '%,{kind},%' ESCAPE '\\'")
    };
    let given: Vec<String> =
        documents.iter().map(|[kind, key]| format!("({} OR {})", is_given(kind), is_given(key))).collect();
    format!("(orders.visa_type IN ('{}') AND NOT ({}))", visa_types.join("', '"), given.join(" AND "))
}
