/// The page's own storage, and how it agrees with the app (`joinPhone` in `Web/scripts/device/phone-app.js`).
struct LifePage {
  private(set) var saved = LifeOracle.Saved()
  /// The state of the app when the two last spoke; nil for a storage that is new or was lost.
  private var agreed: LifeOracle.Saved?

  mutating func keep(_ next: LifeOracle.Saved) { saved = next }
  mutating func agree(on app: LifeOracle.Saved) { agreed = app }
  mutating func lose() { self = Self() }

  /// True if the page has an edit that the app did not get or keep: its process ended, or the disk was full.
  func hasUnsent(_ app: LifeOracle.Saved) -> Bool { agreed != nil && saved != app }

  /// The state of both page and app from then on.
  func joined(to app: LifeOracle.Saved) -> LifeOracle.Saved { agreed == nil ? app : saved }
}
