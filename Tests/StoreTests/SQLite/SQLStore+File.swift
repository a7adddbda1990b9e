import GRDB
import Testing

@testable import Store

extension SQLStore {
  /// The store's database file, for operations that only SQLite has.
  var file: any DatabaseWriter {
    get throws { try #require(database as? SQLiteDatabase).database }
  }
}
