import AlarmEngine
import NIOConcurrencyHelpers

/// What a transaction is about, for other processes to hear once it is committed.
final class SQLNews: Sendable {
  private let box = NIOLockedValueBox(Note())

  /// Something is different that servers keep in memory: `edit_note` says whose.
  func edited() { box.withLockedValue { $0.isEdit = true } }
  /// These accounts' feeds have grown.
  func told(_ accounts: some Sequence<AccountID>) {
    box.withLockedValue { $0.told.formUnion(.accounts(Set(accounts))) }
  }

  var note: Note { box.withLockedValue { $0 } }

  /// The news of one or more transactions.
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

/// What other processes have written since a moment.
struct WritesByOthers: Equatable, Sendable {
  /// To be asked with the next time.
  var number: Int64
  var news: SQLNews.Note
}

extension SQLNews.Note {
  /// What PostgreSQL carries in one note, less what the name of the process takes.
  private static let longest = 7900
  /// In an id written with letters and digits, and the comma behind it.
  private static let longestID = 14

  /// As it travels: `e` or `-`, then the accounts, or `*` for all or for more than a note holds.
  var text: String {
    let flag = isEdit ? "e" : "-"
    guard case .accounts(let accounts) = told, accounts.count <= Self.longest / Self.longestID else {
      return flag + " *"
    }
    return flag + " " + accounts.sorted().map { String($0.rawValue, radix: 36) }.joined(separator: ",")
  }

  /// What it cannot read, such as a note of the version before, may be about anything.
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
