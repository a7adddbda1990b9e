#if PostgreSQL
  import AlarmEngine
  import Foundation
  import NIOConcurrencyHelpers
  import PostgreSQLClient

  /// Tells the other processes what this one has written, and hears it of them: at most one `NOTIFY` every few hundredths
  /// of a second, on a connection and a thread of its own, since notifying transactions queue behind each other.
  ///
  /// A note says whose feeds have grown, so that a process wakes those accounts' streams only. A process that dies between
  /// a commit and its note tells nothing: edits are looked for every few seconds all the same, and streams look at their
  /// feeds at each heartbeat.
  final class PostgreSQLSignals: @unchecked Sendable {
    private static let channel = "proximity"
    /// Between two notes of this process, in milliseconds.
    private static let interval = 25
    /// After so long without one an edit is assumed.
    private static let edits = Duration.seconds(5)

    private struct Book {
      /// What is still to be told.
      var written = SQLNews.Note()
      var heard = HeardNews()
      var isStopping = false
      /// When the first of `written` was committed.
      var writtenAt: ContinuousClock.Instant?
      /// The same of each note of this process that has not come back yet, in the order in which they were sent.
      var underWay: [ContinuousClock.Instant] = []
      var heardAfter: [TimeSpan] = []
      var lost = 0
    }
    private let address: PostgreSQLAddress
    private let book = NIOLockedValueBox(Book())
    /// This process.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)
    private let ended = DispatchGroup()

    init(_ address: PostgreSQLAddress) { self.address = address }

    /// What the others have told. Anything is, where something may have been missed.
    func heard(since known: Int64?) -> WritesByOthers { book.withLockedValue { $0.heard.since(known) } }

    func wrote(_ news: SQLNews.Note) {
      guard !news.isEmpty else { return }
      book.withLockedValue { book in
        book.written.add(news)
        book.writtenAt = book.writtenAt ?? .now
      }
    }

    /// So many measurements are kept for whoever asks.
    private static let mostMeasured = 1000

    /// How often the connection was lost, and how long it took from commits until their notes came back, since the last
    /// time that this was asked.
    func takeFigures() -> (lost: Int, heardAfter: [TimeSpan]) {
      book.withLockedValue { book in
        defer { book.heardAfter = [] }
        return (book.lost, book.heardAfter)
      }
    }

    func start() {
      ended.enter()
      let thread = Thread { [self] in
        defer { ended.leave() }
        while !isStopping { listenUntilLost() }
      }
      thread.name = "signals"
      thread.start()
    }

    func stop() async {
      book.withLockedValue { $0.isStopping = true }
      await withCheckedContinuation { continuation in
        ended.notify(queue: .global()) { continuation.resume() }
      }
    }

    private var isStopping: Bool { book.withLockedValue { $0.isStopping } }

    private func listenUntilLost() {
      var listens = false
      do {
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        try connection.listen(Self.channel)
        listens = true
        book.withLockedValue { book in
          // What was told while nobody listened.
          book.heard.add(.anything)
          book.underWay = []
        }
        var (toldAt, editsAt) = (ContinuousClock.now - .seconds(1), ContinuousClock.now)
        while !isStopping {
          for note in try connection.notifications(within: Self.interval) { hear(note.payload) }
          let now = ContinuousClock.now
          if now - editsAt >= Self.edits {
            editsAt = now
            book.withLockedValue { $0.heard.add(SQLNews.Note(isEdit: true)) }
          }
          // Others' notes may come at any time: this process's go no more often for it.
          guard now - toldAt >= .milliseconds(Self.interval) else { continue }
          let written = book.withLockedValue { book in
            defer { (book.written, book.writtenAt) = (SQLNews.Note(), nil) }
            // What the note of a lost connection would have told, too, was committed at a time that nobody knows.
            if !book.written.isEmpty { book.underWay.append(book.writtenAt ?? now) }
            return book.written
          }
          if !written.isEmpty {
            toldAt = now
            _ = try connection.run(
              "SELECT pg_notify($1, $2)", [.text(Self.channel), .text("\(name) \(written.text)")])
          }
        }
      } catch {
        // The next attempt tells it; calls that write say why the database cannot be reached.
        book.withLockedValue { book in
          book.written.add(.anything)
          if listens { book.lost += 1 }
        }
        Thread.sleep(forTimeInterval: 0.5)
      }
    }

    /// A note of this process has come back: others have it at about the same time.
    private func noteEcho() {
      book.withLockedValue { book in
        guard !book.underWay.isEmpty else { return }
        let took = (ContinuousClock.now - book.underWay.removeFirst()).components
        guard book.heardAfter.count < Self.mostMeasured else { return }
        book.heardAfter.append(
          .milliseconds(took.seconds * 1000 + took.attoseconds / 1_000_000_000_000_000))
      }
    }

    private func hear(_ payload: String) {
      let parts = payload.split(separator: " ", maxSplits: 1)
      guard parts.first.map(String.init) != name else { return noteEcho() }
      let news = SQLNews.Note(text: parts.count == 2 ? parts[1] : "")
      book.withLockedValue { $0.heard.add(news) }
    }
  }
#endif
