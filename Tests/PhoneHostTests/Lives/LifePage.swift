/// The page's own storage, and how it agrees with the app (`joinPhone` in `Web/scripts/device/phone-app.js`).
struct LifePage {
  /// The content of the storage.
  private struct Storage {
    var saved = LifeOracle.Saved()
    /// The number of edits sent to the app; nil for a storage that is new or was lost.
    var edition: UInt64?
  }
  private var storage = Storage()
  /// The storage before the latest edit, to which a loss of power may take it back.
  private var former = Storage()

  var saved: LifeOracle.Saved { storage.saved }

  /// Stores an edit.
  mutating func keep(_ next: LifeOracle.Saved) {
    former = storage
    storage.saved = next
  }

  /// Stores the next edition, before it and the edit are sent.
  ///
  /// - Returns: the edition.
  mutating func raiseEdition() -> UInt64 {
    let edition = (storage.edition ?? 0) + 1
    storage.edition = edition
    return edition
  }

  mutating func lose() { self = Self() }
  mutating func fallBack() { storage = former }

  /// True if the storage was lost, or is older than the app.
  func isBehind(_ edition: UInt64) -> Bool { storage.edition.map { $0 < edition } ?? true }

  /// Takes over the data and the edition of the app. Zones that only an older storage has stay.
  mutating func takeBack(_ app: LifeOracle.Saved, _ edition: UInt64) {
    var all = app
    all.zones.merge(storage.saved.zones) { ofApp, _ in ofApp }
    storage = Storage(saved: all, edition: edition)
    former = storage
  }
}
