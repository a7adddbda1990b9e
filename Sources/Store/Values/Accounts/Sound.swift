import AlarmEngine

/// A sound of an account's own (S105-S111).
public struct Sound: Hashable, Sendable {
  public let id: SoundID
  public let account: AccountID
  /// Exact, case-sensitive, without extension (S111); no two of an account have the same.
  public let name: String
  public let about: String
  public let mediaType: String
  /// Bytes.
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
