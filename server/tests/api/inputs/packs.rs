//! Names in defence packs.

use std::collections::HashMap;

use diesel::prelude::*;
use futures_util::{StreamExt, stream};
use serde_json::Value as Json;
use toml::Value;
use visadesk::chargebacks::packs::{self, rules::PackType};
use visadesk::db::schema::{documents, paper_checks};
use visadesk::error::Permission;
use visadesk::ids::OrderId;
use visadesk::papers::reading::{PaperReading, PassportReading, ReadFrom};
use visadesk::staff::rules::StaffType::Manager;

use super::Case;
use crate::packs::orders::disputed;
use crate::support::TestApp;

/// Packs that are typeset at once.
const AT_ONCE: usize = 2;

/// The faults of all cases with packs, by their names.
pub async fn faults(cases: &[Case]) -> HashMap<&str, Vec<String>> {
    let test = &TestApp::start().await;
    let cases = cases.iter().filter(|case| case.table == "pack");
    let checked = cases.map(async |case| (case.name.as_str(), faults_of(case, test).await));
    stream::iter(checked).buffered(AT_ONCE).collect().await
}

async fn faults_of(case: &Case, test: &TestApp) -> Vec<String> {
    let order = disputed(test, 1, |order| {
        order.full_name = case.text("name").to_owned();
        let form = &mut order.application;
        (form.first_name, form.middle_name, form.last_name) = (None, None, None);
    })
    .await;
    add_passport(test, order, case.text("passport_name")).await;
    let sources = test.read(move |conn| packs::gather(conn, OrderId(order))).await;
    let by = test.as_staff(Manager, "Ayu").staff().await;
    let now = test.clock.now();
    let (room, permission) = (&test.app.chargebacks, Permission::in_background());
    let pack = packs::make(room, PackType::Letter, &sources, &by, now, permission).await.expect("a pack");
    let facts: Json = serde_json::from_str(&pack.facts).expect("JSON");
    let printed = value_beside("Applicant", &facts).expect("an applicant");
    let expected = &case.expected["printed"];
    let is_right = match expected {
        Value::Array(any) => any.iter().any(|one| one.as_str() == Some(printed)),
        one => one.as_str() == Some(printed),
    };
    (!is_right).then(|| format!("{printed:?} is printed instead of {expected}")).into_iter().collect()
}

/// Adds the check of a passport with that name; none if it is empty.
async fn add_passport(test: &TestApp, order: i64, name: &str) {
    let Some((given, surname)) = name.rsplit_once(' ') else { return };
    let first = format!("{:<<44}", format!("P<UTO{}<<{}", surname, given.replace(' ', "<")));
    let reading = PaperReading::Passport(PassportReading {
        from: ReadFrom::TextLayer,
        first: [Some(first.chars().take(44).collect()), None],
        second: None,
        crop: None,
    });
    let (reading, now) = (serde_json::to_string(&reading).expect("JSON"), test.clock.now());
    test.write(move |tx| {
        let passport =
            documents::table.filter(documents::order_id.eq(order)).filter(documents::kind.eq("passport_picture"));
        let document_id: i64 = passport.select(documents::document_id).first(tx)?;
        let check = (
            paper_checks::document_id.eq(document_id),
            paper_checks::order_id.eq(order),
            paper_checks::paper.eq("passport"),
            paper_checks::state.eq("done"),
            paper_checks::reading.eq(reading.clone()),
            paper_checks::attempts.eq(1),
            paper_checks::requested_at.eq(now),
        );
        diesel::insert_into(paper_checks::table).values(check).execute(tx)?;
        Ok(())
    })
    .await;
}

/// The text beside a label, wherever it is.
fn value_beside<'a>(label: &str, facts: &'a Json) -> Option<&'a str> {
    match facts {
        Json::Array(items) => match items.as_slice() {
            [Json::String(first), Json::String(second)] if first == label => Some(second),
            items => items.iter().find_map(|item| value_beside(label, item)),
        },
        Json::Object(fields) => fields.values().find_map(|field| value_beside(label, field)),
        _ => None,
    }
}
