//! The tables as lines of a file, and back. The engine's database is one, in pieces.

use super::engine::Engine;
use super::service::Service;
use super::tables::Kept;
use crate::data::DataError;
use crate::data::file::{self, Attempt, Kind, Reader, Writer, Written};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Bytes of the database in one line.
const PIECE: usize = 48 << 10;

/// A database on its way between the engine and the file: the engine takes and gives files only.
const DATABASE: &str = "dynamodb.sqlite";

/// In this order: the tables, then the pieces.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Tables {
        tables: Cow<'a, Kept>,
        /// The state of the generator.
        random: u64,
    },
    /// Base64.
    Database(Cow<'a, str>),
}

impl Service {
    /// `None` when nobody asked for a table yet.
    pub(crate) fn write_to(
        &mut self,
        directory: &Path,
        kind: Kind,
    ) -> Result<Option<Written>, DataError> {
        self.catch_up(self.clock.now());
        let Some(engine) = &self.engine else {
            return Ok(None);
        };
        let path = directory.join(DATABASE);
        file::remove(&path)?;
        engine.copy_to(&path).attempt("written", &path)?;
        let database = fs::read(&path).attempt("read", &path)?;
        file::remove(&path)?;
        let mut writer = Writer::begin(directory, kind)?;
        writer.line(&Line::Tables {
            tables: Cow::Borrowed(self.tables.kept()),
            random: self.chance.get_seed(),
        })?;
        for piece in database.chunks(PIECE) {
            let piece = base64_simd::STANDARD.encode_to_string(piece);
            writer.line(&Line::Database(piece.into()))?;
        }
        writer.finish().map(Some)
    }

    pub(crate) fn read_from(
        &mut self,
        reader: &mut Reader,
        directory: &Path,
    ) -> Result<(), DataError> {
        let Some(Line::Tables { tables, random }) = reader.next()? else {
            return Err(reader.bad("the tables are missing"));
        };
        let path = directory.join(DATABASE);
        let mut database = File::create(&path).attempt("written", &path)?;
        while let Some(line) = reader.next()? {
            let Line::Database(piece) = line else {
                return Err(reader.bad("the tables are there twice"));
            };
            let piece = base64_simd::STANDARD.decode_to_vec(piece.as_bytes());
            let piece = piece.map_err(|_| reader.bad("the piece is no base64"))?;
            database.write_all(&piece).attempt("written", &path)?;
        }
        drop(database);
        let engine = Engine::start(self.clock.clone());
        let copied = engine.copy_from(&path);
        copied.map_err(|error| reader.bad(format!("no database of tables: {error}")))?;
        file::remove(&path)?;
        self.engine = Some(engine);
        self.tables.put_back(tables.into_owned());
        self.chance = fastrand::Rng::with_seed(random);
        Ok(())
    }
}
