//! The steps of a sequence: who does what to which order.

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, IteratorRandom as _};
use rand::{RngExt as _, SeedableRng as _};
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType;

/// A member of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    Ayu,
    Made,
    Budi,
    Sari,
    Tini,
    Nyoman,
}

impl Member {
    pub const ALL: [Member; 6] = [Member::Ayu, Member::Made, Member::Budi, Member::Sari, Member::Tini, Member::Nyoman];

    pub fn staff_type(self) -> StaffType {
        match self {
            Member::Ayu => StaffType::Admin,
            Member::Made => StaffType::Manager,
            Member::Budi | Member::Sari => StaffType::Team,
            Member::Tini => StaffType::Telecaller,
            Member::Nyoman => StaffType::NightStaff,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Member::Ayu => "Ayu",
            Member::Made => "Made",
            Member::Budi => "Budi",
            Member::Sari => "Sari",
            Member::Tini => "Tini",
            Member::Nyoman => "Nyoman",
        }
    }
}

/// An order by its place among those that exist, so that a shortened sequence still makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order(pub usize);

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A member does something.
    Desk(Member, Desk),
    /// The applicant of an order does something.
    Applicant(Order, Applicant),
    /// The sales site does something.
    Site(Site),
    /// Time passes, and the background jobs run.
    Later(Wait),
}

/// What a member does.
#[derive(Clone, Debug, PartialEq)]
pub enum Desk {
    Assign(Vec<Order>, Option<Member>),
    Reassign(Vec<Order>, Member),
    HandOver(Vec<Order>, Member),
    TakeNext,
    Move(Vec<Order>, ProcessStatus),
    MoveFromDetails(Order, ProcessStatus),
    Restore(Vec<Order>),
    Refund(Vec<Order>),
    TakeBackRefund(Order),
    ApproveRefunds,
    DeclineRefunds,
    WithdrawRefunds,
    StopRefundMails(Vec<Order>),
    SendRefundMails(Vec<Order>),
    /// The member's newest change.
    Undo,
    AskForPapers(Order, Vec<Paper>),
    WithdrawPaperRequest(Order),
    SetPaperState(Order, Paper),
    CheckPapers(Order),
    MakePortalPhotograph(Order),
    File(Order, Number),
    /// Beside the application of a colleague, who filed the order in the meantime.
    FileAsSecond(Order, Number),
    RefuseApplication(Order, Then),
    UploadVisa(Order, Visa),
    LookAtVisa(Order),
    DecideVisa(Order, Decision),
    ResendMail(Order, Recipient),
    SendDownloadMail(Order),
    RevokeMailedLinks(Order),
    Correct(Order, Correction),
    Remark(Order),
    SaveTransaction(Order),
    SaveDispute(Order, Outcome),
    MakePack(Order),
    AddPhoneOrder,
    DeleteMember(Member),
}

/// A document that an applicant can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    Photograph,
    BankStatement,
}

impl Paper {
    pub fn kind(self) -> &'static str {
        match self {
            Paper::Photograph => "recent_photo",
            Paper::BankStatement => "bank_statement",
        }
    }
}

/// The number of an application with the government.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u8);

/// What follows a refused application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Refile,
    Refund,
}

/// Whose visa is in the uploaded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visa {
    Own,
    /// Their own number with another name: the delivery can be undone.
    OtherName,
    /// The visa of the applicant of another order. It is refused.
    Of(Order),
    /// The same, with a reason.
    OfAnyway(Order),
    /// A scan in which nothing can be read. It waits.
    Scan,
}

/// What a member decides about a visa that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Deliver,
    Withdraw,
}

/// To whom a mail goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    Applicant,
    Elsewhere,
}

/// A corrected field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    Email,
    Phone,
    Nationality,
}

/// How a dispute ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won,
    Lost,
}

/// What an applicant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicant {
    Track,
    /// With an address that was corrected.
    TrackWithOldAddress,
    OpenMailedLink,
    History,
    Download,
    SendPaper(Paper),
    SendPaperAnyway(Paper),
}

/// What the sales site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The site's own number, and whether the order is paid.
    CreateOrder(u8, bool),
    AddPayment(Order),
    AddDocument(Order, Paper),
}

/// How much time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Minutes,
    Hours,
    Days,
}

/// The steps of a seed.
pub fn draw(seed: u64, count: usize) -> Vec<Step> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| Step::draw(&mut random)).collect()
}

impl Step {
    fn draw(random: &mut ChaCha8Rng) -> Step {
        match random.random_range(0..100) {
            0..68 => Step::Desk(*Member::ALL.choose(random).expect("a member"), Desk::draw(random)),
            68..80 => Step::Applicant(Order::draw(random), Applicant::draw(random)),
            80..86 => Step::Site(Site::draw(random)),
            _ => Step::Later(*[Wait::Minutes, Wait::Minutes, Wait::Hours, Wait::Days].choose(random).expect("a wait")),
        }
    }

    /// The call of the contract that the step makes. None: it makes none.
    pub fn call(&self) -> Option<&'static str> {
        Some(match self {
            Step::Desk(_, desk) => match desk {
                Desk::Assign(..) => "assign_orders",
                Desk::Reassign(..) => "reassign_orders",
                Desk::HandOver(..) => "hand_over_orders",
                Desk::TakeNext => "take_next_order",
                Desk::Move(..) => "change_order_status",
                Desk::MoveFromDetails(..) => "move_order_status",
                Desk::Restore(_) => "restore_orders",
                Desk::Refund(_) => "refund_orders",
                Desk::TakeBackRefund(_) => "take_back_refund",
                Desk::ApproveRefunds => "approve_refunds",
                Desk::DeclineRefunds => "decline_refunds",
                Desk::WithdrawRefunds => "withdraw_refunds",
                Desk::StopRefundMails(_) => "stop_refund_mails",
                Desk::SendRefundMails(_) => "send_refund_mails",
                Desk::Undo => "undo",
                Desk::AskForPapers(..) => "ask_for_papers",
                Desk::WithdrawPaperRequest(_) => "withdraw_paper_request",
                Desk::SetPaperState(..) => "set_paper_state",
                Desk::CheckPapers(_) => "check_papers",
                Desk::MakePortalPhotograph(_) => "make_portal_photograph",
                Desk::File(..) | Desk::FileAsSecond(..) => "file_application",
                Desk::RefuseApplication(..) => "refuse_application",
                Desk::UploadVisa(..) => "upload_visa_document",
                Desk::LookAtVisa(_) => "look_at_visa",
                Desk::DecideVisa(..) => "decide_visa",
                Desk::ResendMail(..) => "resend_mail",
                Desk::SendDownloadMail(_) => "send_download_mail",
                Desk::RevokeMailedLinks(_) => "revoke_mailed_links",
                Desk::Correct(..) => "correct_order",
                Desk::Remark(_) => "add_remark",
                Desk::SaveTransaction(_) => "save_transaction_details",
                Desk::SaveDispute(..) => "save_chargeback",
                Desk::MakePack(_) => "get_defence_pack_pdf",
                Desk::AddPhoneOrder => "add_phone_order",
                Desk::DeleteMember(_) => "delete_team_member",
            },
            Step::Applicant(_, applicant) => match applicant {
                Applicant::Track | Applicant::TrackWithOldAddress => "track_order",
                Applicant::OpenMailedLink => "open_mailed_link",
                Applicant::History => "download_history",
                Applicant::Download => "download_visa",
                Applicant::SendPaper(_) => "upload_paper",
                Applicant::SendPaperAnyway(_) => "send_paper_anyway",
            },
            Step::Site(site) => match site {
                Site::CreateOrder(..) => "create_order",
                Site::AddPayment(_) => "add_payment",
                Site::AddDocument(..) => "add_document",
            },
            Step::Later(_) => return None,
        })
    }
}

impl Order {
    /// Few orders, so that steps meet.
    fn draw(random: &mut ChaCha8Rng) -> Order {
        Order(random.random_range(0..4))
    }

    fn draw_some(random: &mut ChaCha8Rng) -> Vec<Order> {
        let count = *[1, 1, 1, 2, 3].choose(random).expect("a count");
        let mut some = (0..4).map(Order).sample(random, count);
        some.sort_by_key(|order| order.0);
        some
    }
}

impl Paper {
    const ALL: [Paper; 2] = [Paper::Photograph, Paper::BankStatement];

    fn draw(random: &mut ChaCha8Rng) -> Paper {
        *Paper::ALL.choose(random).expect("a paper")
    }

    fn draw_some(random: &mut ChaCha8Rng) -> Vec<Paper> {
        if random.random_bool(0.4) { Paper::ALL.to_vec() } else { vec![Paper::draw(random)] }
    }
}

impl Desk {
    fn draw(random: &mut ChaCha8Rng) -> Desk {
        let one = Order::draw(random);
        let some = Order::draw_some(random);
        let status = *ProcessStatus::ALL.choose(random).expect("a status");
        match random.random_range(0..100) {
            0..7 => {
                let to = Some(*Member::ALL.choose(random).expect("a member")).filter(|_| random.random_bool(0.75));
                Desk::Assign(some, to)
            }
            7..9 => Desk::TakeNext,
            9..11 => Desk::Reassign(some, *Member::ALL.choose(random).expect("a member")),
            11..13 => Desk::HandOver(some, *Member::ALL.choose(random).expect("a member")),
            13..24 => Desk::Move(some, status),
            24..30 => Desk::MoveFromDetails(one, status),
            30..33 => Desk::Restore(some),
            33..37 => Desk::Refund(some),
            37 => Desk::TakeBackRefund(one),
            38 => Desk::ApproveRefunds,
            39 => [Desk::DeclineRefunds, Desk::WithdrawRefunds].choose(random).expect("a step").clone(),
            40 => Desk::StopRefundMails(some),
            41 => Desk::SendRefundMails(some),
            42..50 => Desk::Undo,
            50..59 => Desk::AskForPapers(one, Paper::draw_some(random)),
            59..61 => Desk::WithdrawPaperRequest(one),
            61 => Desk::SetPaperState(one, Paper::draw(random)),
            62 => Desk::CheckPapers(one),
            63 => Desk::MakePortalPhotograph(one),
            64..68 => Desk::File(one, Number(random.random_range(1..5))),
            68 => Desk::FileAsSecond(one, Number(random.random_range(1..5))),
            69..71 => Desk::RefuseApplication(one, *[Then::Refile, Then::Refund].choose(random).expect("a step")),
            71..78 => {
                let other = Order::draw(random);
                let visas = [Visa::OtherName, Visa::Of(other), Visa::OfAnyway(other), Visa::Scan];
                let another = *visas.choose(random).expect("a visa");
                Desk::UploadVisa(one, if random.random_bool(0.5) { Visa::Own } else { another })
            }
            78 => {
                let decision = *[Decision::Deliver, Decision::Withdraw].choose(random).expect("a decision");
                if random.random_bool(0.5) { Desk::LookAtVisa(one) } else { Desk::DecideVisa(one, decision) }
            }
            79..82 => Desk::ResendMail(one, *[Recipient::Applicant, Recipient::Elsewhere].choose(random).expect("one")),
            82 => Desk::SendDownloadMail(one),
            83 => Desk::RevokeMailedLinks(one),
            84..88 => {
                let fields = [Correction::Email, Correction::Phone, Correction::Nationality];
                Desk::Correct(one, *fields.choose(random).expect("a field"))
            }
            88 => Desk::Remark(one),
            89 => Desk::SaveTransaction(one),
            90..92 => Desk::SaveDispute(one, *[Outcome::Won, Outcome::Lost].choose(random).expect("an outcome")),
            92 => Desk::MakePack(one),
            93 => Desk::AddPhoneOrder,
            _ => Desk::DeleteMember(*Member::ALL.choose(random).expect("a member")),
        }
    }
}

impl Applicant {
    fn draw(random: &mut ChaCha8Rng) -> Applicant {
        match random.random_range(0..12) {
            0 => Applicant::Track,
            1 => Applicant::TrackWithOldAddress,
            2 => Applicant::OpenMailedLink,
            3 => Applicant::History,
            4 => Applicant::Download,
            5..11 => Applicant::SendPaper(Paper::draw(random)),
            _ => Applicant::SendPaperAnyway(Paper::draw(random)),
        }
    }
}

impl Site {
    fn draw(random: &mut ChaCha8Rng) -> Site {
        match random.random_range(0..4) {
            0 => Site::CreateOrder(random.random_range(1..6), random.random_bool(0.6)),
            1 => Site::AddPayment(Order::draw(random)),
            _ => Site::AddDocument(Order::draw(random), Paper::draw(random)),
        }
    }
}
