//! Every call that changes something is a step of the model, or is here with the reason why not.

use std::collections::BTreeSet;

use super::steps;
use crate::support::calls::calls;

/// The calls without a step.
const NOT_MODELLED: &[(&str, &str)] = &[
    ("add_api_key", "keys change no order; `api_keys`"),
    ("revoke_api_key", "keys change no order; `api_keys`"),
    ("add_team_member", "a new member meets no order; `admins`, `team`"),
    ("update_team_member", "a change of type meets no order; `admins`, `team`"),
    ("change_password", "sessions and passwords; `staff`, `sessions`"),
    ("end_session", "sessions; `sessions`"),
    ("sign_in", "sessions; `staff`"),
    ("sign_out", "sessions; `sessions`"),
    ("begin_enrolment", "second factors; `second_factor`"),
    ("begin_passkey_enrolment", "second factors; `second_factor`"),
    ("begin_passkey_sign_in", "second factors; `second_factor`"),
    ("sign_in_second_factor", "second factors; `second_factor`"),
    ("begin_authenticator", "second factors; `second_factor`"),
    ("add_authenticator", "second factors; `second_factor`"),
    ("remove_authenticator", "second factors; `second_factor`"),
    ("remove_second_factor", "second factors; `second_factor`"),
    ("make_recovery_codes", "second factors; `second_factor`"),
    ("begin_passkey", "second factors; `second_factor`"),
    ("add_passkey", "second factors; `second_factor`"),
    ("remove_passkey", "second factors; `second_factor`"),
    ("begin_passkey_confirmation", "second factors; `second_factor`"),
    ("confirm_identity", "second factors; `second_factor`"),
    ("set_payment_gateway", "the gateway of future payments; `gateways`"),
    ("save_list_settings", "how a member's lists look; `orders::list_settings`"),
    ("save_view", "a list under a name; `orders::saved_views`"),
    ("delete_saved_view", "a list under a name; `orders::saved_views`"),
    ("save_paper_reason", "texts of reasons; `paper_requests::desk`"),
    ("save_canned_text", "texts that members use; `canned_texts`"),
    ("delete_canned_text", "texts that members use; `canned_texts`"),
    ("claim_filing", "a claim ends by the database's clock; `filing::claims`"),
    ("release_filing", "a claim ends by the database's clock; `filing::claims`"),
    ("set_presence", "a hint that ends by the database's clock; `live::presences`"),
    ("mark_inbox_read", "what a member has read; `moves::owners`"),
    ("look_at_finding", "a verdict on what a check read, which moves nothing; `papers::lifecycle`"),
    ("send_tracking_code", "confirms the email as a mailed link does; `tracking::codes`"),
    ("confirm_tracking_code", "confirms the email as a mailed link does; `tracking::codes`"),
    ("search_orders", "reads; `search`"),
    ("country_orders", "reads; `reports`"),
    ("processed_by_counts", "reads; `reports`"),
    ("preview_paper_request", "reads; `paper_requests::desk`"),
    ("defence_pack_details", "reads; the checks at the end ask it"),
];

#[test]
fn every_call_that_changes_something_is_in_the_model_or_listed_with_a_reason() {
    let modelled: BTreeSet<&str> =
        (0..200).flat_map(|seed| steps::draw(seed, 200)).filter_map(|step| step.call()).collect();
    let changing: BTreeSet<&str> =
        calls().iter().filter(|call| call.method != reqwest::Method::GET).map(|call| call.name.as_str()).collect();
    let listed: BTreeSet<&str> = NOT_MODELLED.iter().map(|(call, _)| *call).collect();
    let missing: Vec<&&str> =
        changing.iter().filter(|call| !modelled.contains(**call) && !listed.contains(**call)).collect();
    assert!(missing.is_empty(), "neither a step nor listed: {missing:?}");
    let superfluous: Vec<&&str> =
        listed.iter().filter(|call| modelled.contains(**call) || !changing.contains(**call)).collect();
    assert!(superfluous.is_empty(), "listed, and a step or unknown: {superfluous:?}");
}
