import AlarmEngine
import NIOConcurrencyHelpers

@testable import AlarmService
@testable import Delivery
@testable import Server

/// The receivers of a simulated server's webhooks, by the last part of their address. They keep the
/// deliveries, and refuse them while they are broken.
final class SimulatedChannels: Sendable {
  struct Delivery: Sendable {
    let channel: String
    /// Nil for a withdrawn alarm.
    let kind: AlarmNotice.Kind?
    let alarm: AlarmID
    let device: DeviceID?
    let at: TimeSpan
  }

  private struct Book {
    var deliveries: [Delivery] = []
    var broken: Set<String> = []
  }
  private let book = NIOLockedValueBox(Book())
  private let clock: SimulatedClock

  init(clock: SimulatedClock) { self.clock = clock }

  func setBroken(_ channel: String, _ isBroken: Bool) {
    book.withLockedValue { book in
      if isBroken { book.broken.insert(channel) } else { book.broken.remove(channel) }
    }
  }

  /// The deliveries since the last call, in order.
  func take() -> [Delivery] {
    book.withLockedValue { book in
      defer { book.deliveries = [] }
      return book.deliveries
    }
  }

  func channel(_ configuration: ChannelConfiguration) -> any DeliveryChannel {
    guard case .webhook(let target) = configuration else { return Receiver(name: "other", channels: self) }
    return Receiver(name: String(target.url.text.split(separator: "/").last ?? ""), channels: self)
  }

  private func receive(
    _ name: String, _ kind: AlarmNotice.Kind?, _ alarm: AlarmID, _ device: DeviceID?
  ) -> DeliveryOutcome {
    book.withLockedValue { book in
      guard !book.broken.contains(name) else {
        return .retry(after: nil, reason: .status(503, "broken"))
      }
      book.deliveries.append(
        Delivery(channel: name, kind: kind, alarm: alarm, device: device, at: clock.elapsed))
      return .delivered(receipt: "")
    }
  }

  private struct Receiver: DeliveryChannel {
    let name: String
    let channels: SimulatedChannels
    var description: String { name }
    func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
      channels.receive(name, notice.kind, notice.alarm, notice.device.id)
    }
    func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
      channels.receive(name, nil, withdrawal.alarm, nil)
    }
  }
}
