import AlarmEngine
import NIOConcurrencyHelpers

/// The changes of a transaction, for notification of other processes after the commit.
final class TransactionChanges: Sendable {
  private let box = NIOLockedValueBox(Note())

  /// Records that data cached by servers has changed; `edit_note` has the accounts.
  func edited() { box.withLockedValue { $0.isEdit = true } }
  /// Records that these accounts' feeds have grown.
  func told(_ accounts: some Sequence<AccountID>) {
    box.withLockedValue { $0.told.formUnion(.accounts(Set(accounts))) }
  }

  var note: Note { box.withLockedValue { $0 } }

  /// The changes of one or more transactions.
  struct Note: Equatable, Sendable {
    var isEdit = false
    var told = ChangesByOthers.Scope.accounts([])

    static let anything = Note(isEdit: true, told: .all)
    var isEmpty: Bool { !isEdit && told.isEmpty }

    mutating func add(_ other: Note) {
      isEdit = isEdit || other.isEdit
      told.formUnion(other.told)
    }
  }
}

/// The writes of other processes since an earlier call.
struct WritesByOthers: Equatable, Sendable {
  /// The number to pass to the next call.
  var number: Int64
  var changes: TransactionChanges.Note
}

extension TransactionChanges.Note {
  /// The longest text of a note: PostgreSQL's limit less the name of the process.
  private static let longest = 7900
  /// The longest account id in base 36, with its comma.
  private static let longestID = 14

  /// The note as it is sent: `e` or `-`, then the accounts, or `*` for all, or if there are more than fit.
  var text: String {
    let flag = isEdit ? "e" : "-"
    guard case .accounts(let accounts) = told, accounts.count <= Self.longest / Self.longestID else {
      return flag + " *"
    }
    return flag + " " + accounts.sorted().map { String($0.rawValue, radix: 36) }.joined(separator: ",")
  }

  /// Parses a note. An unreadable one, such as that of another version, counts as `anything`.
  init(text: Substring) {
    self = .anything
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "e" || parts[0] == "-" else { return }
    isEdit = parts[0] == "e"
    let ids = parts[1].split(separator: ",")
    let accounts = ids.compactMap { UInt64($0, radix: 36).map { AccountID(rawValue: $0) } }
    if accounts.count == ids.count { told = .accounts(Set(accounts)) }
  }
}
