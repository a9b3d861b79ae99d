//! Reads that are sent to the server together. Work that reads is run twice: the first time to learn its statements, whose rows seem to
//! be empty; these are then sent in one round trip, and the second run finds their rows here. A statement that depends on rows of
//! another is not learnt, and is sent by itself; on a shared connection, the work is run once more for it.

use diesel::QueryResult;
use tokio_postgres::Client;

use super::rows::Bind;
use super::statements::{Answer, CachedStatement, ask};

/// The statements that a connection knows of the work that it runs.
#[derive(Default)]
pub enum Ahead {
    /// Nothing: each is sent when it is run.
    #[default]
    No,
    /// Those that were run; none is sent.
    Learning(Vec<Question>),
    /// Those that were sent and not run since.
    Sent(Vec<(Question, QueryResult<Answer>)>),
    /// Those that were answered, and those of this run that were not; none is sent meanwhile.
    Gathering { known: Vec<(Question, Answer)>, asked: Vec<Question> },
}

/// A statement and its values.
#[derive(PartialEq)]
pub struct Question {
    statement: CachedStatement,
    binds: Vec<Bind>,
}

impl Question {
    pub fn new(statement: CachedStatement, binds: Vec<Bind>) -> Self {
        Self { statement, binds }
    }

    pub async fn ask(&self, client: &Client) -> Result<Answer, tokio_postgres::Error> {
        ask(client, &self.statement, self.binds.clone()).await
    }
}

impl Ahead {
    pub fn is_learning(&self) -> bool {
        matches!(self, Self::Learning(_))
    }

    /// The number of statements of this run that are not sent yet. Their rows seem to be missing.
    pub fn asked(&self) -> usize {
        match self {
            Self::Learning(questions) | Self::Gathering { asked: questions, .. } => questions.len(),
            Self::No | Self::Sent(_) => 0,
        }
    }

    /// The rows of a statement, unless it must be sent now.
    pub fn answer(&mut self, question: Question) -> Result<QueryResult<Answer>, Question> {
        match self {
            Self::No => Err(question),
            Self::Learning(questions) => {
                questions.push(question);
                Ok(Ok(Answer::default()))
            }
            Self::Gathering { known, asked } => match known.iter().find(|(known, _)| *known == question) {
                Some((_, answer)) => Ok(Ok(answer.clone())),
                None => {
                    asked.push(question);
                    Ok(Ok(Answer::default()))
                }
            },
            Self::Sent(answers) => match answers.iter().position(|(asked, _)| *asked == question) {
                Some(place) => Ok(answers.swap_remove(place).1),
                None => Err(question),
            },
        }
    }
}
