import Foundation
import Synchronization

/// Control-C, checked by long reads at every step, so that they end cleanly.
package enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// True if Control-C was pressed.
  package static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Begins to handle SIGINT, and makes a closed pipe an error of `write` instead of ending the process. The
  /// second Control-C ends the process at once.
  package static func watch() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in
      Interruption.requested.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// - Throws: `CancellationError` if Control-C was pressed.
  package static func check() throws {
    if isRequested { throw CancellationError() }
  }
}
