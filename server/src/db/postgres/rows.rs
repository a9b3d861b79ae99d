//! Rows and values between Diesel and tokio-postgres. Both use PostgreSQL's binary format, so no value is converted.

use std::error::Error as StdError;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use diesel::QueryResult;
use diesel::internal::derives::multiconnection::RowSealed;
use diesel::pg::{Pg, PgQueryBuilder, PgTypeMetadata, PgValue, TypeOidLookup};
use diesel::query_builder::{QueryBuilder, QueryFragment};
use diesel::result::Error;
use diesel::row::{Field, PartialRow, Row, RowIndex};
use tokio_postgres::types::{FromSql, IsNull, Kind, ToSql, Type, to_sql_checked};

/// The type of a value, from Diesel's metadata.
pub fn type_of(metadata: &PgTypeMetadata) -> QueryResult<Type> {
    let oid = metadata.oid().map_err(|error| Error::SerializationError(Box::new(error)))?;
    Ok(Type::from_oid(oid).unwrap_or_else(|| Type::new(String::new(), oid, Kind::Simple, String::new())))
}

/// A value that Diesel has serialised.
#[derive(Clone, Debug, PartialEq)]
pub struct Bind {
    of: Type,
    bytes: Option<Vec<u8>>,
}

impl Bind {
    pub fn new(metadata: &PgTypeMetadata, bytes: Option<Vec<u8>>) -> QueryResult<Self> {
        Ok(Self { of: type_of(metadata)?, bytes })
    }

    pub fn with_type(self) -> (Self, Type) {
        let of = self.of.clone();
        (self, of)
    }
}

impl ToSql for Bind {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        let Some(bytes) = &self.bytes else { return Ok(IsNull::Yes) };
        out.put_slice(bytes);
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The type of a column, which Diesel may ask for.
#[derive(Clone, Copy)]
struct Oid(u32);

impl TypeOidLookup for Oid {
    fn lookup(&self) -> NonZeroU32 {
        NonZeroU32::new(self.0).unwrap_or(NonZeroU32::MAX)
    }
}

/// The rows of an answer.
pub struct Cursor {
    rows: Arc<Vec<tokio_postgres::Row>>,
    columns: Arc<[Oid]>,
    next: usize,
}

impl Cursor {
    pub fn new(rows: Arc<Vec<tokio_postgres::Row>>) -> Self {
        let columns = rows.first().map(tokio_postgres::Row::columns).unwrap_or_default();
        Self { columns: columns.iter().map(|column| Oid(column.type_().oid())).collect(), rows, next: 0 }
    }
}

impl Iterator for Cursor {
    type Item = QueryResult<PgRow>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.next;
        self.next += 1;
        (place < self.rows.len()).then(|| Ok(PgRow { rows: self.rows.clone(), place, columns: self.columns.clone() }))
    }
}

/// A row of an answer.
pub struct PgRow {
    rows: Arc<Vec<tokio_postgres::Row>>,
    place: usize,
    columns: Arc<[Oid]>,
}

impl PgRow {
    fn row(&self) -> &tokio_postgres::Row {
        &self.rows[self.place]
    }
}

impl RowSealed for PgRow {}

impl<'a> Row<'a, Pg> for PgRow {
    type Field<'f>
        = PgField<'f>
    where
        'a: 'f,
        Self: 'f;
    type InnerPartialRow = Self;

    fn field_count(&self) -> usize {
        self.row().len()
    }

    fn get<'b, I>(&'b self, index: I) -> Option<Self::Field<'b>>
    where
        'a: 'b,
        Self: RowIndex<I>,
    {
        Some(PgField { row: self, index: self.idx(index)? })
    }

    fn partial_row(&self, range: Range<usize>) -> PartialRow<'_, Self> {
        PartialRow::new(self, range)
    }
}

impl RowIndex<usize> for PgRow {
    fn idx(&self, index: usize) -> Option<usize> {
        (index < self.row().len()).then_some(index)
    }
}

impl<'a> RowIndex<&'a str> for PgRow {
    fn idx(&self, name: &'a str) -> Option<usize> {
        self.row().columns().iter().position(|column| column.name() == name)
    }
}

/// A value of a row.
pub struct PgField<'a> {
    row: &'a PgRow,
    index: usize,
}

impl Field<'_, Pg> for PgField<'_> {
    fn field_name(&self) -> Option<&str> {
        Some(self.row.row().columns().get(self.index)?.name())
    }

    fn value(&self) -> Option<PgValue<'_>> {
        let Ok(Raw(bytes)) = self.row.row().try_get(self.index) else { return None };
        Some(PgValue::new(bytes?, self.row.columns.get(self.index)?))
    }
}

/// The bytes of a value, as received.
struct Raw<'a>(Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(Some(raw)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// The header of a binary COPY.
pub const COPY_HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// Its trailer.
pub const COPY_TRAILER: Bytes = Bytes::from_static(&[0xff, 0xff]);

/// The COPY into the columns of an INSERT of one row.
pub fn copy_statement(insert: &impl QueryFragment<Pg>) -> QueryResult<String> {
    let mut sql = PgQueryBuilder::default();
    insert.to_sql(&mut sql, &Pg)?;
    let sql = sql.finish();
    let target = sql.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once(" VALUES "));
    let (target, _) = target.ok_or_else(|| Error::QueryBuilderError("this is no INSERT of one row".into()))?;
    Ok(format!("COPY {target} FROM STDIN WITH (FORMAT binary)"))
}

/// Appends a row to a COPY.
pub fn put_row(out: &mut BytesMut, values: &[Option<Vec<u8>>]) -> QueryResult<()> {
    let too_large = |error| Error::SerializationError(Box::new(error));
    out.put_i16(i16::try_from(values.len()).map_err(too_large)?);
    for value in values {
        match value {
            None => out.put_i32(-1),
            Some(bytes) => {
                out.put_i32(i32::try_from(bytes.len()).map_err(too_large)?);
                out.put_slice(bytes);
            }
        }
    }
    Ok(())
}
