import AlarmEngine
import NIOConcurrencyHelpers

@testable import AlarmService
@testable import Server

/// The clocks of a simulated server: the true one, and the system's, which can be set wrong.
final class SimulatedClock: Sendable {
  private let clocks: NIOLockedValueBox<(elapsed: TimeSpan, offset: TimeSpan, awake: TimeSpan)>
  let start: Instant

  init(start: Instant) {
    self.start = start
    clocks = NIOLockedValueBox((.zero, .zero, .zero))
  }

  /// Time since the simulation began; it cannot be set.
  var elapsed: TimeSpan { clocks.withLockedValue { $0.elapsed } }
  /// The time on the phones' clocks.
  var truth: Instant { start + elapsed }
  /// How far the server's clock is ahead of the true time.
  var offset: TimeSpan { clocks.withLockedValue { $0.offset } }
  var now: Instant { truth + offset }

  func pass(_ span: TimeSpan) { clocks.withLockedValue { $0.elapsed = $0.elapsed + span } }
  func setOffset(_ offset: TimeSpan) { clocks.withLockedValue { $0.offset = offset } }

  /// Advances the time that processes see elapse by one interval of `AwakeWatch`. Every few seconds they note
  /// that they are running; these turns change nothing else, so the last one stands for all.
  func noteAwake() { clocks.withLockedValue { $0.awake = $0.awake + AwakeWatch.interval } }

  var server: ServerClock {
    ServerClock(
      { self.now }, uptime: { self.elapsed }, elapsed: { self.clocks.withLockedValue { $0.awake } }
    )
  }
}
