import Foundation
import Synchronization

/// Control-C, seen by long reads at their next step, so that they end cleanly.
package enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// Whether somebody has asked us to stop.
  package static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Starts to watch for SIGINT, and takes a closed pipe as an error of `write` rather than as our end.
  /// The second Control-C ends the process at once.
  package static func watch() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in
      Interruption.requested.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// - Throws: `CancellationError` when somebody has asked us to stop.
  package static func check() throws {
    if isRequested { throw CancellationError() }
  }
}
