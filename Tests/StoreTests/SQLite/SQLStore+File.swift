import GRDB
import Testing

@testable import Store

extension SQLStore {
  /// The file that it stands in, past the store: for what only SQLite has.
  var file: any DatabaseWriter {
    get throws { try #require(database as? SQLiteDatabase).database }
  }
}
