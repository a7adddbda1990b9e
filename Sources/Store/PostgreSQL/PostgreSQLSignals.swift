#if PostgreSQL
  import AlarmEngine
  import Foundation
  import NIOConcurrencyHelpers
  import PostgreSQLClient

  /// Notifies other processes of this one's writes and receives their notifications. Sends at most one
  /// `NOTIFY` per `interval`, on a connection and a thread of its own, since notifying transactions queue
  /// behind each other.
  ///
  /// A note names the accounts whose feeds have grown, so that a process wakes only their streams. A process
  /// that dies between a commit and its note sends nothing; edits are therefore also looked for every few
  /// seconds, and streams read their feeds at each heartbeat.
  final class PostgreSQLSignals: @unchecked Sendable {
    private static let channel = "proximity"
    /// The shortest time between two notes of this process, in milliseconds.
    private static let interval = 25
    /// The interval at which edits are looked for without a note.
    private static let edits = Duration.seconds(5)

    private struct Book {
      /// The changes not sent yet.
      var written = TransactionChanges.Note()
      var heard = ReceivedChanges()
      var isStopping = false
      /// When the first change in `written` was committed.
      var writtenAt: ContinuousClock.Instant?
      /// The commit times of this process's notes that have not come back yet, in the order of sending.
      var underWay: [ContinuousClock.Instant] = []
      var heardAfter: [TimeSpan] = []
      var lost = 0
    }
    private let address: PostgreSQLAddress
    private let book = NIOLockedValueBox(Book())
    /// The random name of this process in its notes.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)
    private let ended = DispatchGroup()

    init(_ address: PostgreSQLAddress) { self.address = address }

    /// The notifications of other processes. Includes `anything` if some may have been missed.
    func heard(since known: Int64?) -> WritesByOthers { book.withLockedValue { $0.heard.since(known) } }

    func wrote(_ changes: TransactionChanges.Note) {
      guard !changes.isEmpty else { return }
      book.withLockedValue { book in
        book.written.add(changes)
        book.writtenAt = book.writtenAt ?? .now
      }
    }

    /// The most delays kept until the next `takeFigures`.
    private static let mostMeasured = 1000

    /// Returns the number of lost connections since the start, and the delays from commits to their returned
    /// notes since the previous call.
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
          // Notes may have been missed before this connection listened.
          book.heard.add(.anything)
          book.underWay = []
        }
        var (toldAt, editsAt) = (ContinuousClock.now - .seconds(1), ContinuousClock.now)
        while !isStopping {
          for note in try connection.notifications(within: Self.interval) { hear(note.payload) }
          let now = ContinuousClock.now
          if now - editsAt >= Self.edits {
            editsAt = now
            book.withLockedValue { $0.heard.add(TransactionChanges.Note(isEdit: true)) }
          }
          // Notes of others end the wait early; they must not make this process send more often.
          guard now - toldAt >= .milliseconds(Self.interval) else { continue }
          let written = book.withLockedValue { book in
            defer { (book.written, book.writtenAt) = (TransactionChanges.Note(), nil) }
            // Changes that failed to be sent on a lost connection have no known commit time.
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
        // The next attempt sends it. The calls that write report why the database cannot be reached.
        book.withLockedValue { book in
          book.written.add(.anything)
          if listens { book.lost += 1 }
        }
        Thread.sleep(forTimeInterval: 0.5)
      }
    }

    /// Measures the delay of a note that has come back; other processes receive it at about the same time.
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
      let changes = TransactionChanges.Note(text: parts.count == 2 ? parts[1] : "")
      book.withLockedValue { $0.heard.add(changes) }
    }
  }
#endif
