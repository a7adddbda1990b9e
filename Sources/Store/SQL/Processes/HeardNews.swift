/// What was heard of other processes, numbered, so that whoever asks says up to where it knows.
struct HeardNews: Sendable {
  private var notes: [SQLNews.Note] = []
  /// Of the first of `notes`.
  private var first: Int64 = 1
  private let most: Int

  /// - Parameter most: so many are kept; whoever knows less takes everything for different.
  init(most: Int = 1000) { self.most = most }

  /// Of the latest.
  var number: Int64 { first + Int64(notes.count) - 1 }

  mutating func add(_ note: SQLNews.Note) {
    notes.append(note)
    guard notes.count > most else { return }
    // Half at once, so that adding costs little.
    let gone = notes.count - most / 2
    notes.removeFirst(gone)
    first += Int64(gone)
  }

  /// - Parameter known: nil for what is to be heard from now on.
  func since(_ known: Int64?) -> WritesByOthers {
    guard let known, known != number else {
      return WritesByOthers(number: number, news: SQLNews.Note())
    }
    guard known >= first - 1, known < number else { return WritesByOthers(number: number, news: .anything) }
    let news = notes[Int(known + 1 - first)...].reduce(into: SQLNews.Note()) { $0.add($1) }
    return WritesByOthers(number: number, news: news)
  }
}
