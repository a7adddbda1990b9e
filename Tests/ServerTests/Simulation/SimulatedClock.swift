import AlarmEngine
import NIOConcurrencyHelpers

@testable import AlarmService
@testable import Server

/// The clocks of a simulated server: one that tells the truth, and the system's, which can be set wrong.
final class SimulatedClock: Sendable {
  private let clocks: NIOLockedValueBox<(elapsed: TimeSpan, offset: TimeSpan, heeded: TimeSpan)>
  let start: Instant

  init(start: Instant) {
    self.start = start
    clocks = NIOLockedValueBox((.zero, .zero, .zero))
  }

  /// Since the simulation began; nobody sets it.
  var elapsed: TimeSpan { clocks.withLockedValue { $0.elapsed } }
  /// What the phones' clocks say.
  var truth: Instant { start + elapsed }
  /// How far the server's clock is ahead of the truth.
  var offset: TimeSpan { clocks.withLockedValue { $0.offset } }
  var now: Instant { truth + offset }

  func pass(_ span: TimeSpan) { clocks.withLockedValue { $0.elapsed = $0.elapsed + span } }
  func setOffset(_ offset: TimeSpan) { clocks.withLockedValue { $0.offset = offset } }

  /// Processes look after themselves every few seconds. What they do then changes nothing but that they say that they are
  /// there, so of all these times the last one stands for the others.
  func heed() { clocks.withLockedValue { $0.heeded = $0.heeded + AwakeWatch.interval } }

  var server: ServerClock {
    ServerClock(
      { self.now }, uptime: { self.elapsed }, elapsed: { self.clocks.withLockedValue { $0.heeded } }
    )
  }
}
