//! The comparison of a value of the order with one that was read from a document. Whatever was not compared is never "same":
//! [`Equal`] is made from both values alone.

/// The proof that two values were read and compared, and are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equal(());

impl Equal {
    /// Compares two values. None: they differ.
    pub fn between<T: PartialEq + ?Sized>(one: &T, other: &T) -> Option<Self> {
        Self::by(one, other, T::eq)
    }

    /// Compares two values of different kinds. None: they differ.
    pub fn by<A: ?Sized, B: ?Sized>(one: &A, other: &B, are_equal: impl FnOnce(&A, &B) -> bool) -> Option<Self> {
        are_equal(one, other).then_some(Self(()))
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    Same(Equal),
    /// They seem to be equal, which is not proved. Why, for people.
    Look(&'static str),
    Differs,
}

impl Likeness {
    /// The values are equal, or else they differ.
    pub fn of(equal: Option<Equal>) -> Self {
        equal.map_or(Self::Differs, Self::Same)
    }

    /// The same, if the document was read for sure; otherwise it proves neither that the values are equal nor that they differ.
    pub fn if_sure(self, is_sure: bool) -> Self {
        match self {
            Self::Same(_) | Self::Differs if !is_sure => Self::Look("It was not read clearly"),
            sure => sure,
        }
    }
}
