//! The faults that were found and fixed, each with the shortest sequence that broke its rule.

use visadesk::orders::status::ProcessStatus::{
    Awaiting, AwaitingGovt, ChargeBack, Completed, CustomerCalled, Deleted, New,
};

use super::invariants::Rule;
use super::steps::Applicant::{Download, SendPaper, Track};
use super::steps::Desk::{
    self, AskForPapers, Assign, Correct, DeleteMember, File, Move, ResendMail, SaveDispute, Undo, UploadVisa,
    WithdrawPaperRequest,
};
use super::steps::Member::{Ayu, Budi, Made};
use super::steps::Paper::{BankStatement, Photograph};
use super::steps::{Applicant, Correction, Number, Order, Outcome, Recipient, Site, Step, Visa, Wait};

/// A fault of an earlier release.
pub struct Known {
    /// The name in the review.
    pub fault: &'static str,
    /// The rule that it broke.
    pub breaks: Rule,
    /// A random sequence that broke the rule, too.
    pub seed: Option<u64>,
    pub steps: Vec<Step>,
}

/// The first of 300 random sequences of 60 steps that broke a rule.
fn first_seed(rule: Rule) -> Option<u64> {
    Some(match rule {
        Rule::SentByNobody | Rule::WaitsAfterEnd | Rule::OldAddress | Rule::PortalTelephone => 1,
        Rule::DoneWithoutEffect | Rule::ReadyBeforeVisa => 2,
        Rule::PackOrigin => 6,
        Rule::ReturnsElsewhere => 7,
        Rule::LinkToHidden | Rule::PaymentDropped => 8,
        Rule::KitOrigin => 9,
        Rule::UndoneInPart => 14,
        Rule::DeletedOwner => 26,
        Rule::PackDelivery => 30,
        Rule::OpenDispute => 40,
        Rule::DeliveredReturns => 46,
        _ => return None,
    })
}

/// Paid, paid with priority, unpaid, and paid for a day ahead.
const REGULAR: Order = Order(0);
const UNPAID: Order = Order(2);

fn ayu(desk: Desk) -> Step {
    Step::Desk(Ayu, desk)
}

fn by_applicant(does: Applicant) -> Step {
    Step::Applicant(REGULAR, does)
}

fn moved(to: visadesk::orders::status::ProcessStatus) -> Step {
    ayu(Move(vec![REGULAR], to))
}

const SOON: Step = Step::Later(Wait::Minutes);
const DAYS: Step = Step::Later(Wait::Days);

/// The faults that were fixed: their sequences break nothing.
pub fn fixed() -> Vec<Known> {
    let known = |fault, breaks, steps| Known { fault, breaks, seed: first_seed(breaks), steps };
    let asked = || ayu(AskForPapers(REGULAR, vec![Photograph]));
    let to_budi = || ayu(Assign(vec![REGULAR], Some(Budi)));
    let doubtful_visa = || ayu(UploadVisa(REGULAR, Visa::OtherName));
    let sends_it = || [by_applicant(Track), by_applicant(SendPaper(Photograph)), SOON];
    let is_sent = |before: Vec<Step>| before.into_iter().chain(sends_it()).collect();
    vec![
        known(
            "F1: the last document gives an order to a deleted member",
            Rule::DeletedOwner,
            vec![to_budi(), asked(), ayu(DeleteMember(Budi)), ayu(WithdrawPaperRequest(REGULAR))],
        ),
        known(
            "F1: the last document gives an order to the member from whom it was taken",
            Rule::OwnerAudited,
            vec![to_budi(), asked(), ayu(Assign(vec![REGULAR], None)), ayu(WithdrawPaperRequest(REGULAR))],
        ),
        known(
            "F2: a document request outlives the delivery",
            Rule::WaitsAfterEnd,
            vec![asked(), ayu(UploadVisa(REGULAR, Visa::Own))],
        ),
        known(
            "F2: a delivered order returns to work",
            Rule::DeliveredReturns,
            is_sent(vec![asked(), ayu(UploadVisa(REGULAR, Visa::Own)), moved(CustomerCalled)]),
        ),
        known("F3: a withdrawn visa is in the kit", Rule::KitOrigin, vec![doubtful_visa(), ayu(Undo)]),
        known(
            "F4: a pack counts our receipt as received from the customer",
            Rule::PackOrigin,
            vec![ayu(File(REGULAR, Number(1))), moved(ChargeBack)],
        ),
        known(
            "F5: a pack names an email that announced nothing",
            Rule::PackDelivery,
            vec![ayu(ResendMail(REGULAR, Recipient::Elsewhere)), SOON, moved(ChargeBack)],
        ),
        known(
            "F6: the portal gets the country code twice",
            Rule::PortalTelephone,
            vec![ayu(Correct(REGULAR, Correction::Phone))],
        ),
        known(
            "F7: the applicant's page says ready before there is a visa",
            Rule::ReadyBeforeVisa,
            vec![moved(CustomerCalled), SOON, moved(AwaitingGovt), SOON, ayu(UploadVisa(REGULAR, Visa::Own))],
        ),
        known(
            "F8: the undo of an application leaves it open",
            Rule::UndoneInPart,
            vec![ayu(File(REGULAR, Number(1))), ayu(Undo)],
        ),
        known(
            "F9: a corrected address still opens the order",
            Rule::OldAddress,
            vec![ayu(Correct(REGULAR, Correction::Email))],
        ),
        known(
            "F10: the payment of a repeated order is dropped",
            Rule::PaymentDropped,
            vec![Step::Site(Site::CreateOrder(1, false)), Step::Site(Site::CreateOrder(1, true))],
        ),
        known(
            "F11: a second dispute has no deadline",
            Rule::OpenDispute,
            vec![moved(ChargeBack), ayu(SaveDispute(REGULAR, Outcome::Won)), moved(New), moved(ChargeBack)],
        ),
        known(
            "F12: an email without a provider counts as sent",
            Rule::SentByNobody,
            vec![ayu(ResendMail(REGULAR, Recipient::Applicant)), SOON],
        ),
        known(
            "F13: the visa of a deleted order is mailed",
            Rule::LinkToHidden,
            vec![moved(Deleted), ayu(UploadVisa(REGULAR, Visa::Own))],
        ),
        known(
            "F15: an applicant is reminded of what was sent",
            Rule::RemindedInVain,
            vec![asked(), by_applicant(Track), by_applicant(SendPaper(Photograph)), DAYS],
        ),
        known(
            "F17: an assignment that changes nothing is reported as done",
            Rule::DoneWithoutEffect,
            vec![to_budi(), to_budi()],
        ),
        known(
            "F18: an unpaid order comes back as a paid one",
            Rule::ReturnsElsewhere,
            vec![
                ayu(Move(vec![UNPAID], Awaiting)),
                ayu(AskForPapers(UNPAID, vec![Photograph])),
                Step::Applicant(UNPAID, Track),
                Step::Applicant(UNPAID, SendPaper(Photograph)),
                SOON,
            ],
        ),
        known(
            "N1: a closed order stays with a deleted member",
            Rule::DeletedOwner,
            vec![to_budi(), moved(Completed), ayu(DeleteMember(Budi)), moved(AwaitingGovt)],
        ),
        known("N2: an undone visa still counts as delivered", Rule::UndoneInPart, vec![doubtful_visa(), ayu(Undo)]),
        known(
            "N3: an order with an open application returns to where it is filed",
            Rule::FiledReturns,
            is_sent(vec![
                asked(),
                ayu(File(REGULAR, Number(1))),
                Step::Desk(Made, AskForPapers(REGULAR, vec![BankStatement])),
                by_applicant(Track),
                by_applicant(SendPaper(BankStatement)),
            ]),
        ),
        known("N4: a held email outlives its order", Rule::LinkToHidden, vec![doubtful_visa(), moved(Deleted)]),
        known(
            "N5: a signed link opens the visa of a deleted order",
            Rule::HiddenOrder,
            vec![ayu(UploadVisa(REGULAR, Visa::Own)), by_applicant(Track), by_applicant(Download), moved(Deleted)],
        ),
    ]
}
