import AlarmEngine
import Formats
import Foundation
import GRDB

/// Writes places.sqlite: a new file beside the one that is in use, which takes its place when it is whole.
///
/// Whoever searches meanwhile has the old file. After a kill or a power cut the old file is still there, and the next
/// import begins anew: a half file is never looked at by anybody, and is removed.
public enum PlaceBuilder {
  /// - Parameters:
  ///   - path: of the file as it is searched. A second import to it at the same time is refused.
  ///   - attribution: whom the licence of the data wants named.
  ///   - fill: hands over all places. Of several with the same id the first counts.
  /// - Returns: how many different places there are.
  /// - Throws: `StoreError` (`.locked`: another import is running), and what `fill` throws; nothing is changed then.
  public static func build(
    at path: String, attribution: String, now: Instant,
    fill: (_ add: (Place) throws -> Void) throws -> Void
  ) throws -> Int {
    let lock = try ImportLock(path: path + ".lock")
    defer { lock.release() }
    let part = path + ".part"
    try removeIfThere(part)
    try removeIfThere(part + "-journal")
    defer { try? removeIfThere(part) }
    do {
      let count = try write(to: part, attribution: attribution, now: now, fill: fill)
      try flush(part)
      guard rename(part, path) == 0 else { throw StoreError.cannotOpen(path: path) }
      try flush((path as NSString).deletingLastPathComponent)
      return count
    } catch let error as DatabaseError { throw StoreError(error, path: part) }
  }

  private static func write(
    to part: String, attribution: String, now: Instant,
    fill: (_ add: (Place) throws -> Void) throws -> Void
  ) throws -> Int {
    var configuration = Configuration()
    configuration.label = "places import"
    configuration.publicStatementArguments = false
    let queue = try DatabaseQueue(path: part, configuration: configuration)
    let count = try queue.writeWithoutTransaction { database in
      // The file counts for nothing before it is whole: it is flushed once, at the end.
      try database.execute(
        sql: """
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -65536;
          PRAGMA application_id = \(PlaceSchema.applicationID);
          PRAGMA user_version = \(PlaceSchema.version);
          """)
      var count = 0
      try database.inTransaction {
        try database.execute(sql: PlaceSchema.tables)
        try database.execute(
          sql: "INSERT INTO place_words(place_words, rank) VALUES ('hashsize', 16777216)")
        try fill { if try insert($0, into: database) { count += 1 } }
        try database.execute(sql: "INSERT INTO place_words(place_words) VALUES ('optimize')")
        try database.execute(
          sql: "INSERT INTO about (attribution, imported_at_ms, places) VALUES (?, ?, ?)",
          arguments: [attribution, now.sql, count])
        return .commit
      }
      return count
    }
    try queue.close()
    return count
  }

  /// - Returns: false for an id that is there already.
  private static func insert(_ place: Place, into database: Database) throws -> Bool {
    let latitude = PlaceBox.units(place.coordinate.latitude.degrees)
    let longitude = PlaceBox.units(place.coordinate.longitude.degrees)
    let address = place.address
    let changed = try database.run(
      """
      INSERT OR IGNORE INTO place (id, name, other_names, brand, categories, street, house_number, postcode, city,
        latitude_e7, longitude_e7) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        place.id, place.name, place.otherNames.joined(separator: "\n"), place.brand,
        place.categories.map(\.tag).joined(separator: "\n"), address.street, address.houseNumber,
        address.postcode, address.city, latitude, longitude,
      ])
    guard changed == 1 else { return false }
    let number = database.lastInsertedRowID
    try database.run(
      "INSERT INTO place_box VALUES (?, ?, ?, ?, ?)", [number, latitude, latitude, longitude, longitude])
    try database.run(
      "INSERT INTO place_words (rowid, names, brand, kinds, address) VALUES (?, ?, ?, ?, ?)",
      [
        number, PlaceWords.indexed(([place.name] + place.otherNames).joined(separator: " ")),
        PlaceWords.indexed(place.brand),
        place.categories.map { "\($0.key) \($0.word)" }.joined(separator: " "),
        PlaceWords.indexed(
          [address.street, address.houseNumber, address.postcode, address.city].joined(separator: " ")),
      ])
    return true
  }

  private static func removeIfThere(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw StoreError.readOnly }
  }

  /// Brings a file or folder to the disk.
  private static func flush(_ path: String) throws {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY)
    guard descriptor >= 0 else { throw StoreError.cannotOpen(path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw errno == ENOSPC ? StoreError.diskFull : .readOnly }
  }

  /// Held for as long as the process lives, at most.
  private struct ImportLock {
    private let descriptor: CInt

    init(path: String) throws(StoreError) {
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .cannotOpen(path: path) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw .locked
      }
    }

    func release() { close(descriptor) }
  }
}
