//! Enums that are text in the database, on the wire and in the contract.

/// Declares an enum with its text form, for both databases, JSON and the contract.
///
/// The texts are token trees, not literals, because utoipa's derive cannot read a captured literal.
#[macro_export]
macro_rules! text_enum {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:tt,)+ }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
            diesel::expression::AsExpression, diesel::deserialize::FromSqlRow,
        )]
        #[diesel(sql_type = diesel::sql_types::Text)]
        $visibility enum $name {
            $($(#[$variant_meta])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its text in the database and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The variant whose text is exactly `text`.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self.as_str())
            }
        }

        impl<DB> diesel::serialize::ToSql<diesel::sql_types::Text, DB> for $name
        where
            DB: diesel::backend::Backend,
            str: diesel::serialize::ToSql<diesel::sql_types::Text, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut diesel::serialize::Output<'b, '_, DB>) -> diesel::serialize::Result {
                self.as_str().to_sql(out)
            }
        }

        impl<DB> diesel::deserialize::FromSql<diesel::sql_types::Text, DB> for $name
        where
            DB: diesel::backend::Backend,
            // Unlike a `String` it allocates nothing for a short text.
            compact_str::CompactString: diesel::deserialize::FromSql<diesel::sql_types::Text, DB>,
        {
            fn from_sql(raw: DB::RawValue<'_>) -> diesel::deserialize::Result<Self> {
                let text = compact_str::CompactString::from_sql(raw)?;
                Self::parse(&text).ok_or_else(|| format!("{} is no {}", text, stringify!($name)).into())
            }
        }
    };
}
