#if PostgreSQL
  import Foundation
  import NIOConcurrencyHelpers
  import PostgreSQLClient

  /// Tells the other processes that this one has written, and hears it of them: at most one `NOTIFY` every few hundredths
  /// of a second, on a connection and a thread of its own, since notifying transactions queue behind each other.
  final class PostgreSQLSignals: @unchecked Sendable {
    private static let channel = "proximity"
    private static let interval: Int = 25

    private struct Book {
      var hasWritten = false
      var heard: Int64 = 0
      var isStopping = false
    }
    private let address: PostgreSQLAddress
    private let book = NIOLockedValueBox(Book())
    /// This process.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)
    private let ended = DispatchGroup()

    init(_ address: PostgreSQLAddress) { self.address = address }

    /// Counts what the others have told. It also grows when something may have been missed.
    var heard: Int64 { book.withLockedValue { $0.heard } }

    func wrote() { book.withLockedValue { $0.hasWritten = true } }

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
      do {
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        try connection.listen(Self.channel)
        // What was told while nobody listened.
        book.withLockedValue { $0.heard += 1 }
        while !isStopping {
          let told = try connection.notifications(within: Self.interval)
          if told.contains(where: { $0.payload != name }) { book.withLockedValue { $0.heard += 1 } }
          let hasWritten = book.withLockedValue { book in
            defer { book.hasWritten = false }
            return book.hasWritten
          }
          if hasWritten {
            _ = try connection.run("SELECT pg_notify($1, $2)", [.text(Self.channel), .text(name)])
          }
        }
      } catch {
        // The next attempt; calls that write say why it cannot be reached.
        book.withLockedValue { $0.hasWritten = true }
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
  }
#endif
