import AlarmEngine

/// A sound of an account's own (S105-S111).
public struct Sound: Hashable, Sendable {
  public let id: SoundID
  public let account: AccountID
  /// The exact, case-sensitive name without extension (S111), unique in the account.
  public let name: String
  public let about: String
  public let mediaType: String
  /// The size in bytes.
  public let size: Int
  public let savedAt: Instant

  public init(
    id: SoundID = .random(), account: AccountID, name: String, about: String = "", mediaType: String,
    size: Int, savedAt: Instant
  ) {
    self.id = id
    self.account = account
    self.name = name
    self.about = about
    self.mediaType = mediaType
    self.size = size
    self.savedAt = savedAt
  }
}
