import Foundation
import GRDB
import Store

/// The tables of places.sqlite. The file is only ever written as a whole, so there are no migrations: another
/// version needs another import.
enum PlaceSchema {
  static let version = 1
  /// "PrxP", which identifies our files (sqlite.org, PRAGMA application_id).
  static let applicationID = 0x5072_7850

  static let tables = """
    CREATE TABLE about (
      attribution TEXT NOT NULL,
      imported_at_ms INTEGER NOT NULL,
      places INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE place (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      other_names TEXT NOT NULL,  -- parted by line feeds
      brand TEXT NOT NULL,
      categories TEXT NOT NULL,  -- key=value, parted by line feeds
      street TEXT NOT NULL,
      house_number TEXT NOT NULL,
      postcode TEXT NOT NULL,
      city TEXT NOT NULL,
      latitude_e7 INTEGER NOT NULL,
      longitude_e7 INTEGER NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE place_box USING rtree_i32(number, south, north, west, east);
    CREATE VIRTUAL TABLE place_words USING fts5(
      names, brand, kinds, address,
      content='', tokenize='unicode61 remove_diacritics 2', prefix='2 3');
    """

  /// - Throws: `.foreignFile`, `.newerSchema`.
  static func check(_ database: Database) throws {
    guard try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
      throw StoreError.foreignFile
    }
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found == version else { throw StoreError.newerSchema(found: found, known: version) }
  }
}
