//! The rules of the contract for kinds of calls: who may make them, which headers they take, and how they are refused.
//!
//! The handlers declare their own part, and their arguments declare the errors of what they use (`http/routes.rs`). The errors that a room's
//! rules give are in `contract/errors.json`: the tests record every error of every call, and `cargo xtask test` compares both ways. The
//! examples are in `contract/examples.json`.

mod examples;

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use serde_json::json;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, RefBuilder, Schema, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Object, OpenApi, PathItem, Ref, RefOr, Required, ResponseBuilder};

use crate::access::errors::AccessError;
use crate::access::{Access, access_to};
use crate::audit::errors::AuditError;
use crate::db::DatabaseError;
use crate::error::Reason;
use crate::http::errors::{HttpError, status_of};
use crate::http::routes::take_refusals;
use crate::intake::errors::IntakeError;
use crate::staff::rules::StaffType;
use crate::tracking::errors::TrackingError;

/// The codes by status, of one call.
type Codes = BTreeMap<u16, BTreeSet<String>>;

/// The errors by status, of one call: the codes, each with its message if that is known here.
type Errors = BTreeMap<u16, BTreeMap<String, Option<String>>>;

/// The errors that the tests have recorded, by operation id.
const ERRORS: &str = include_str!("../../../contract/errors.json");

const STAFF_TOKEN: &str = "staff_token";
const API_KEY: &str = "api_key";
const VISITOR_GRANT: &str = "visitor_grant";

/// The methods of the API.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Get,
    Post,
    Other,
}

/// Puts every call of `contract` under `tag`.
pub fn tag(contract: &mut OpenApi, tag: &str) {
    for (_, operation) in operations(contract) {
        operation.tags = Some(vec![tag.to_owned()]);
    }
}

/// Completes every call: security, `Idempotency-Key`, its errors with their codes, and its examples.
pub fn complete(contract: &mut OpenApi) {
    // The file is compiled in, and the test of the committed contract reads it.
    let Ok(seen) = serde_json::from_str::<BTreeMap<String, Codes>>(ERRORS) else {
        unreachable!("errors.json is read in tests")
    };
    let examples = examples::read();
    for (method, operation) in operations(contract) {
        let id = operation.operation_id.clone().unwrap_or_default();
        let access = access_to(&id);
        operation.security = Some(access.map(security_of).unwrap_or_default());
        let callers = access.map(callers).unwrap_or_default();
        operation.extensions.get_or_insert_default().insert("x-callers".to_owned(), json!(callers));
        if method == Method::Post {
            operation.parameters.get_or_insert_default().push(idempotency_key());
        }
        let mut errors = common_errors(method, operation, access);
        let own = seen.get(&id);
        for (status, codes) in own.into_iter().flatten() {
            let by_code = errors.entry(*status).or_default();
            codes.iter().for_each(|code| _ = by_code.entry(code.clone()).or_default());
        }
        for (status, by_code) in errors {
            // An error of the call's own rules says more than one of the layers.
            let own = own.and_then(|own| own.get(&status)?.first());
            let shown = own.or_else(|| by_code.keys().next()).cloned().unwrap_or_default();
            operation.responses.responses.insert(status.to_string(), error_response(status, &by_code, &shown));
        }
        if let Some(examples) = examples.get(&id) {
            examples.add_to(operation);
        }
        declare_contents(operation);
    }
    name_results(contract);
    merge_flattened(contract);
    let components = contract.components.get_or_insert_default();
    for (name, scheme) in security_schemes() {
        components.security_schemes.insert(name.to_owned(), RefOr::T(scheme));
    }
}

fn operations(contract: &mut OpenApi) -> impl Iterator<Item = (Method, &mut Operation)> {
    contract.paths.paths.values_mut().flat_map(|PathItem { get, post, put, delete, .. }| {
        let methods = [(Method::Get, get), (Method::Post, post), (Method::Other, put), (Method::Other, delete)];
        methods.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
    })
}

fn security_schemes() -> [(&'static str, SecurityScheme); 3] {
    let in_header =
        |name: &str, text: &str| SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(name, text)));
    [
        (STAFF_TOKEN, in_header("Authorization", "The `jwtToken` of a sign-in, without a prefix.")),
        (API_KEY, in_header("X-Api-Key", "The key of a sales site, created by an Admin or by `visadesk api-key`.")),
        (
            VISITOR_GRANT,
            in_header(
                "Authorization",
                "The grant that `track_order` gives for one order. Browsers send it as a cookie instead.",
            ),
        ),
    ]
}

fn security_of(access: Access) -> Vec<SecurityRequirement> {
    let scheme = match access {
        Access::Public | Access::RateLimited(_) => return Vec::new(),
        Access::Staff(_) => STAFF_TOKEN,
        Access::SalesSite(_) => API_KEY,
        Access::Visitor => VISITOR_GRANT,
    };
    vec![SecurityRequirement::new::<_, [&str; 0], _>(scheme, [])]
}

/// Describes in words who may make a call.
fn callers(access: Access) -> String {
    match access {
        Access::Public => "Everyone".to_owned(),
        Access::RateLimited(_) => "Everyone, within the rate limit of the public pages".to_owned(),
        Access::Staff(types) if types.len() == StaffType::ALL.len() => "All staff".to_owned(),
        Access::Staff(types) => types.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ") + " staff",
        Access::SalesSite(right) => format!("A sales site, by an API key with the right `{right}`"),
        Access::Visitor => "A visitor who confirmed the email of the order".to_owned(),
    }
}

fn idempotency_key() -> RefOr<utoipa::openapi::path::Parameter> {
    let key = ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "A text of at most 255 characters that identifies this request. Repeating the request with the same key within 24 hours \
             returns the first response and changes nothing. Signing in and tracking an order are executed again, because their \
             responses contain a token. Only the first response to creating an API key contains the key.",
        ))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).max_length(Some(255)).build()));
    RefOr::T(key.build())
}

/// The errors of the layers that a call of this kind goes through, and of what its handler takes.
fn common_errors(method: Method, operation: &mut Operation, access: Option<Access>) -> Errors {
    let mut errors: Vec<&dyn Reason> = vec![
        &HttpError::CompressedRequest,
        &HttpError::RequestTimedOut,
        &DatabaseError::DatabaseBusy,
        &DatabaseError::DatabaseUnreachable,
        &DatabaseError::StatementTimedOut,
        &HttpError::NotReady,
    ];
    if method != Method::Get {
        errors.extend([
            &DatabaseError::StorageFull as &dyn Reason,
            &DatabaseError::NotSaved,
            &DatabaseError::OutcomeUnknown,
        ]);
    }
    if method == Method::Post {
        errors.extend([
            &HttpError::InvalidIdempotencyKey as &dyn Reason,
            &HttpError::IdempotencyKeyReused,
            &HttpError::RequestInProgress,
        ]);
    }
    let too_many = TrackingError::TooManyPublicCalls { seconds: 30 };
    let forbidden = AccessError::StaffTypeForbidden(StaffType::Team);
    let no_right = IntakeError::ApiKeyRightMissing("orders");
    let too_often = IntakeError::TooManyApiKeyCalls { seconds: 30 };
    match access {
        Some(Access::Staff(types)) => {
            errors.extend([&HttpError::SignedOut as &dyn Reason, &AuditError::AccessLogBusy]);
            if types.len() < StaffType::ALL.len() {
                errors.push(&forbidden);
            }
        }
        Some(Access::SalesSite(_)) => {
            errors.extend([&IntakeError::UnknownApiKey as &dyn Reason, &no_right, &too_often]);
        }
        Some(Access::Visitor) => errors.extend([&too_many as &dyn Reason, &TrackingError::EmailNotConfirmed]),
        Some(Access::RateLimited(_)) => errors.push(&too_many),
        Some(Access::Public) | None => {}
    }
    let mut by_status = Errors::new();
    for error in errors {
        let by_code = by_status.entry(status_of(error.kind()).as_u16()).or_default();
        by_code.insert(error.code().to_owned(), Some(error.to_string()));
    }
    for (status, code, message) in take_refusals(operation) {
        by_status.entry(status).or_default().insert(code, Some(message));
    }
    let by_code = by_status.entry(StatusCode::INTERNAL_SERVER_ERROR.as_u16()).or_default();
    by_code.insert("internal".to_owned(), Some("Something went wrong on our side".to_owned()));
    by_status
}

/// Declares the content of files as bytes, which utoipa takes for a list of numbers, and of streams as events whose data is JSON.
fn declare_contents(operation: &mut Operation) {
    let text = |media_type: &str| ObjectBuilder::new().schema_type(Type::String).content_media_type(media_type);
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        for (media_type, content) in &mut response.content {
            let RefOr::T(content) = content else { continue };
            match media_type.as_str() {
                "application/pdf" | "application/zip" => content.schema = Some(text(media_type).build().into()),
                "text/event-stream" => {
                    let data = text("application/json").description(Some("What happened, as JSON."));
                    let data = data.content_schema(content.schema.take()).build();
                    let event = ObjectBuilder::new().property("data", data).required("data");
                    content.schema = Some(event.build().into());
                    content.example = content.example.take().map(|example| json!({ "data": example.to_string() }));
                }
                _ => {}
            }
        }
    }
}

/// Names the type of each result. utoipa repeats its definition, because it is generic.
fn name_results(contract: &mut OpenApi) {
    let schemas = contract.components.iter_mut().flat_map(|components| &mut components.schemas);
    for (name, schema) in schemas {
        let (Some(result), RefOr::T(Schema::Object(found))) = (name.strip_prefix("Found_"), schema) else { continue };
        let Some(data) = found.properties.get_mut("data") else { continue };
        let description = "The result.";
        *data = match result.strip_prefix("Vec_") {
            Some(item) => {
                let list = ArrayBuilder::new().items(Ref::from_schema_name(item)).description(Some(description));
                RefOr::T(Schema::Array(list.build()))
            }
            None => {
                let named = RefBuilder::new().ref_location_from_schema_name(result).description(Some(description));
                RefOr::Ref(named.build())
            }
        };
    }
}

/// Merges flattened structs into an object that also has other properties without names, which would otherwise apply to the flattened ones.
fn merge_flattened(contract: &mut OpenApi) {
    let Some(components) = &mut contract.components else { return };
    let known = components.schemas.clone();
    for schema in components.schemas.values_mut() {
        let RefOr::T(Schema::AllOf(parts)) = &*schema else { continue };
        let objects: Vec<&Object> = parts.items.iter().filter_map(|part| object(part, &known)).collect();
        let Some(open) = objects.iter().find(|object| object.additional_properties.is_some()) else { continue };
        let mut merged = Object::clone(open);
        merged.description.clone_from(&parts.description);
        merged.properties = objects.iter().flat_map(|object| object.properties.clone()).collect();
        merged.required = objects.iter().flat_map(|object| object.required.clone()).collect();
        *schema = RefOr::T(Schema::Object(merged));
    }
}

/// The object that a part is or names.
fn object<'a>(part: &'a RefOr<Schema>, known: &'a BTreeMap<String, RefOr<Schema>>) -> Option<&'a Object> {
    match part {
        RefOr::T(Schema::Object(object)) => Some(object),
        RefOr::T(_) => None,
        RefOr::Ref(named) => object(known.get(named.ref_location.rsplit('/').next()?)?, known),
    }
}

/// The response with the errors of `status`. Its example is the error `shown`.
fn error_response(
    status: u16,
    by_code: &BTreeMap<String, Option<String>>,
    shown: &str,
) -> RefOr<utoipa::openapi::Response> {
    let codes = by_code.keys().map(|code| json!(code));
    let code = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(codes));
    let message = by_code.get(shown).and_then(Option::as_deref);
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name("ErrorBody"))
        .item(ObjectBuilder::new().property("code", code).required("code"));
    let content = ContentBuilder::new().schema(Some(Schema::AllOf(schema.build())));
    let content = content.example(Some(examples::error(shown, message))).build();
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Error");
    let mut response = ResponseBuilder::new().description(reason).content("application/json", content);
    if let 429 | 503 = status {
        let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
        let header = HeaderBuilder::new()
            .schema(Some(seconds))
            .description(Some("Seconds to wait before the next try, if that helps."));
        response = response.header("Retry-After", header.build());
    }
    RefOr::T(response.build())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chargebacks::packs::errors::PackErrors;
    use crate::error::{Includes, Refusals};
    use crate::files::errors::{ReadErrors, StorageErrors};
    use crate::mail::errors::{ChangedFacts, ElsewhereLimit, MailLimits, MemberMail};

    fn missing<Whole: Refusals + Includes<Part>, Part: Refusals>() -> Vec<&'static str> {
        let codes = |reasons: Vec<Box<dyn Reason>>| reasons.iter().map(|reason| reason.code()).collect::<BTreeSet<_>>();
        codes(Part::refusals()).difference(&codes(Whole::refusals())).copied().collect()
    }

    #[test]
    fn a_permission_declares_the_errors_of_those_that_it_includes() {
        let all = [
            missing::<PackErrors, StorageErrors>(),
            missing::<PackErrors, ReadErrors>(),
            missing::<MemberMail, ChangedFacts>(),
            missing::<MemberMail, MailLimits>(),
            missing::<MemberMail, ElsewhereLimit>(),
        ];
        assert!(all.iter().all(Vec::is_empty), "{all:?}");
    }
}
