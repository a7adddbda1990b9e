/// The notifications received from other processes, numbered, so that a reader can name the last one it
/// knows.
struct ReceivedChanges: Sendable {
  private var notes: [TransactionChanges.Note] = []
  /// The number of the first of `notes`.
  private var first: Int64 = 1
  private let most: Int

  /// - Parameter most: the number of notes kept. A reader that is further behind must assume that anything
  ///   has changed.
  init(most: Int = 1000) { self.most = most }

  /// The number of the latest note.
  var number: Int64 { first + Int64(notes.count) - 1 }

  mutating func add(_ note: TransactionChanges.Note) {
    notes.append(note)
    guard notes.count > most else { return }
    // Removes half of them at once, so that adding stays cheap.
    let gone = notes.count - most / 2
    notes.removeFirst(gone)
    first += Int64(gone)
  }

  /// Returns the notes after `known`.
  /// - Parameter known: the last number the reader knows; nil to begin now.
  func since(_ known: Int64?) -> WritesByOthers {
    guard let known, known != number else {
      return WritesByOthers(number: number, changes: TransactionChanges.Note())
    }
    guard known >= first - 1, known < number else {
      return WritesByOthers(number: number, changes: .anything)
    }
    let changes = notes[Int(known + 1 - first)...].reduce(into: TransactionChanges.Note()) { $0.add($1) }
    return WritesByOthers(number: number, changes: changes)
  }
}
