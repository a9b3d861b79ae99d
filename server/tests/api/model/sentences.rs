//! A sequence as plain sentences.

use std::fmt;

use super::steps::{
    Applicant, Correction, Decision, Desk, Order, Outcome, Paper, Recipient, Site, Step, Then, Visa, Wait,
};

impl fmt::Display for Order {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "order {}", self.0 + 1)
    }
}

/// `order 1 and order 2`
fn listed(orders: &[Order]) -> String {
    orders.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

fn papers(papers: &[Paper]) -> String {
    papers.iter().map(|paper| paper.kind()).collect::<Vec<_>>().join(" and ")
}

/// As a plain sentence.
impl fmt::Display for Step {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Desk(member, desk) => write!(to, "{} {desk}", member.name()),
            Step::Applicant(order, applicant) => write!(to, "the applicant of {order} {applicant}"),
            Step::Site(site) => write!(to, "the sales site {site}"),
            Step::Later(Wait::Minutes) => write!(to, "eleven minutes pass"),
            Step::Later(Wait::Hours) => write!(to, "five hours pass"),
            Step::Later(Wait::Days) => write!(to, "four days pass"),
        }
    }
}

impl fmt::Display for Desk {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Desk::Assign(orders, Some(member)) => write!(to, "assigns {} to {}", listed(orders), member.name()),
            Desk::Reassign(orders, member) => write!(to, "reassigns {} to {}", listed(orders), member.name()),
            Desk::HandOver(orders, member) => write!(to, "hands {} over to {}", listed(orders), member.name()),
            Desk::Assign(orders, None) => write!(to, "gives {} back", listed(orders)),
            Desk::TakeNext => write!(to, "takes the next order"),
            Desk::Move(orders, status) => write!(to, "moves {} to {status}", listed(orders)),
            Desk::MoveFromDetails(order, status) => write!(to, "moves {order} to {status} from its details"),
            Desk::Restore(orders) => write!(to, "restores {}", listed(orders)),
            Desk::Refund(orders) => write!(to, "refunds {}", listed(orders)),
            Desk::TakeBackRefund(order) => write!(to, "takes the refund of {order} back"),
            Desk::ApproveRefunds => write!(to, "approves the newest request for refunds"),
            Desk::DeclineRefunds => write!(to, "declines the newest request for refunds"),
            Desk::WithdrawRefunds => write!(to, "withdraws the newest request for refunds"),
            Desk::StopRefundMails(orders) => write!(to, "stops the refund emails of {}", listed(orders)),
            Desk::SendRefundMails(orders) => write!(to, "sends the refund emails of {}", listed(orders)),
            Desk::Undo => write!(to, "undoes their newest change"),
            Desk::AskForPapers(order, asked) => write!(to, "asks the applicant of {order} for {}", papers(asked)),
            Desk::WithdrawPaperRequest(order) => write!(to, "withdraws the paper request of {order}"),
            Desk::SetPaperState(order, paper) => write!(to, "calls {} of {order} fine", paper.kind()),
            Desk::CheckPapers(order) => write!(to, "has the papers of {order} checked"),
            Desk::MakePortalPhotograph(order) => write!(to, "makes the portal's photograph of {order}"),
            Desk::File(order, number) => write!(to, "files {order} as EV-{}", number.0),
            Desk::FileAsSecond(order, number) => write!(to, "files {order} as EV-{} as well", number.0),
            Desk::RefuseApplication(order, Then::Refile) => {
                write!(to, "records a refusal of {order}, to be filed again")
            }
            Desk::RefuseApplication(order, Then::Refund) => write!(to, "records a refusal of {order}, to be refunded"),
            Desk::UploadVisa(order, Visa::Own) => write!(to, "uploads the visa of {order}"),
            Desk::UploadVisa(order, Visa::OtherName) => write!(to, "uploads a visa of {order} with another name"),
            Desk::UploadVisa(order, Visa::Of(other)) => write!(to, "uploads the visa of {other} to {order}"),
            Desk::UploadVisa(order, Visa::OfAnyway(other)) => {
                write!(to, "uploads the visa of {other} to {order} with a reason")
            }
            Desk::UploadVisa(order, Visa::Scan) => write!(to, "uploads a scanned visa of {order}"),
            Desk::DecideVisa(order, Decision::Deliver) => write!(to, "delivers the waiting visa of {order}"),
            Desk::DecideVisa(order, Decision::Withdraw) => write!(to, "withdraws the waiting visa of {order}"),
            Desk::LookAtVisa(order) => write!(to, "reviews the visa of {order}"),
            Desk::ResendMail(order, Recipient::Applicant) => write!(to, "resends the email of {order}"),
            Desk::ResendMail(order, Recipient::Elsewhere) => {
                write!(to, "resends the email of {order} to another address")
            }
            Desk::SendDownloadMail(order) => write!(to, "sends the download link of {order}"),
            Desk::RevokeMailedLinks(order) => write!(to, "revokes the links of {order}"),
            Desk::Correct(order, Correction::Email) => write!(to, "corrects the email address of {order}"),
            Desk::Correct(order, Correction::Phone) => write!(to, "corrects the telephone number of {order}"),
            Desk::Correct(order, Correction::Nationality) => write!(to, "corrects the nationality of {order}"),
            Desk::Remark(order) => write!(to, "adds a remark to {order}"),
            Desk::SaveTransaction(order) => write!(to, "saves the transaction of {order}"),
            Desk::SaveDispute(order, Outcome::Won) => write!(to, "records that the dispute of {order} is won"),
            Desk::SaveDispute(order, Outcome::Lost) => write!(to, "records that the dispute of {order} is lost"),
            Desk::MakePack(order) => write!(to, "makes a defence pack of {order}"),
            Desk::AddPhoneOrder => write!(to, "adds an order by telephone"),
            Desk::DeleteMember(member) => write!(to, "deletes {}", member.name()),
        }
    }
}

impl fmt::Display for Applicant {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Applicant::Track => write!(to, "confirms the email"),
            Applicant::TrackWithOldAddress => write!(to, "tries the address before its correction"),
            Applicant::OpenMailedLink => write!(to, "opens the newest mailed link"),
            Applicant::History => write!(to, "looks at the order's page"),
            Applicant::Download => write!(to, "downloads the visa"),
            Applicant::SendPaper(paper) => write!(to, "sends {}", paper.kind()),
            Applicant::SendPaperAnyway(paper) => write!(to, "says that {} is the right one", paper.kind()),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::CreateOrder(reference, true) => write!(to, "sends its paid order {reference}"),
            Site::CreateOrder(reference, false) => write!(to, "sends its unpaid order {reference}"),
            Site::AddPayment(order) => write!(to, "sends the payment of {order}"),
            Site::AddDocument(order, paper) => write!(to, "sends {} of {order}", paper.kind()),
        }
    }
}
