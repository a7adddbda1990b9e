import AlarmEngine

/// What may be different since a moment because processes have written to the store.
public struct ChangesByOthers: Equatable, Sendable {
  /// A moment in the writing of all processes; its contents are the store's business.
  public struct Mark: Hashable, Sendable {
    let writes: Int64
    let edits: Int64
  }
  /// Which accounts are concerned.
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

  /// To be asked with the next time.
  public let next: Mark
  /// Whose devices, names, tokens, zones or settings. The caller's own edits may be among them.
  public let edited: Scope
  /// Whose change feed may have grown.
  public let told: Scope

  public init(next: Mark, edited: Scope, told: Scope) {
    self.next = next
    self.edited = edited
    self.told = told
  }
}
