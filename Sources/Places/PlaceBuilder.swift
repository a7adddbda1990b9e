import AlarmEngine
import Formats
import Foundation
import GRDB
import Store

/// Writes places.sqlite: a new file beside the one in use, which it replaces once it is complete.
///
/// Searches use the old file until then, also after a kill or a power cut. An unfinished file is used only by
/// the next import of the same source, which resumes it (`PlacePart`).
public enum PlaceBuilder {
  /// - Parameters:
  ///   - path: the file that is searched. A second import to it at the same time is refused.
  ///   - attribution: the credit required by the licence of the data.
  ///   - source: identifies the input and its state; a stopped import of the same source is resumed. If it is
  ///     empty, the import begins anew and keeps no unfinished file.
  ///   - resumed: called on resuming, with the number of places that need not be written again.
  ///   - fill: passes on all places, including those already written. Of several with the same id the first
  ///     counts.
  /// - Returns: the number of different places.
  /// - Throws: `StoreError` (`.locked`: another import is running), and the errors of `fill`; nothing is
  ///   changed then.
  public static func build(
    at path: String, attribution: String, source: String = "", now: Instant,
    resumed: (Int) -> Void = { _ in }, fill: (_ add: (Place) throws -> Void) throws -> Void
  ) throws -> Int {
    let lock = try ImportLock(path: path + ".lock")
    defer { lock.release() }
    let part = path + ".part"
    do {
      let half = try PlacePart(path: part, source: source)
      if half.done > 0 { resumed(half.done) }
      let count = try half.fill(attribution: attribution, now: now.millisecondsSince1970, fill)
      try flush(part)
      guard rename(part, path) == 0 else { throw StoreError.cannotOpen(path: path) }
      try flush((path as NSString).deletingLastPathComponent)
      return count
    } catch {
      // A cancelled import is kept so that it can be resumed.
      if source.isEmpty || !(error is CancellationError) { try? PlacePart.remove(part) }
      if let error = error as? DatabaseError { throw StoreError(error, path: part) }
      throw error
    }
  }

  /// - Returns: false if the id is already present.
  static func insert(_ place: Place, into database: Database) throws -> Bool {
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

  /// Flushes a file or folder to the disk.
  private static func flush(_ path: String) throws {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY)
    guard descriptor >= 0 else { throw StoreError.cannotOpen(path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw errno == ENOSPC ? StoreError.diskFull : .readOnly }
  }

  /// A lock that ends with the process at the latest.
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
