import GRDB

@testable import Store

extension SQLStore {
  /// The file that it stands in, past the store: for what only SQLite has.
  var file: any DatabaseWriter {
    guard let database = database as? SQLiteDatabase else { fatalError("not in SQLite") }
    return database.database
  }
}
