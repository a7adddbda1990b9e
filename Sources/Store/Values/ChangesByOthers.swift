import AlarmEngine

/// The changes that processes may have made since a mark.
public struct ChangesByOthers: Equatable, Sendable {
  /// A position in the writes of all processes. Its contents are private to the store.
  public struct Mark: Hashable, Sendable {
    let writes: Int64
    let edits: Int64
  }
  /// The accounts affected.
  public enum Scope: Equatable, Sendable {
    case accounts(Set<AccountID>)
    case all

    public var isEmpty: Bool { self == .accounts([]) }

    mutating func formUnion(_ other: Scope) {
      guard case .accounts(let ours) = self, case .accounts(let theirs) = other else {
        self = .all
        return
      }
      if !theirs.isEmpty { self = .accounts(ours.union(theirs)) }
    }
  }

  /// The mark to pass to the next call.
  public let next: Mark
  /// Accounts whose devices, names, tokens, zones or settings may have changed. The caller's own edits may be
  /// included.
  public let edited: Scope
  /// Accounts whose change feed may have grown.
  public let told: Scope

  public init(next: Mark, edited: Scope, told: Scope) {
    self.next = next
    self.edited = edited
    self.told = told
  }
}
