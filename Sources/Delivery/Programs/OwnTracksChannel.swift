import AlarmEngine
import Foundation
import Geometry
import Store

/// A transition in the reply to an OwnTracks phone's next post, which raises a notification on the phone.
///
/// Nothing is sent: the phone fetches it when it posts. The reply itself is written with the other messages
/// for phones.
public struct OwnTracksTransition: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable { case enter, leave }
  public let direction: Direction
  /// The name of the zone, without characters that have a meaning for OwnTracks.
  public let description: String
  public let trackerID: String
  /// The zone for `rid` and `wtst`; nil in a test.
  public let zone: ZoneID?
  /// `tst`, seconds since 1970: the alarm's true time. On iOS a notification with the same `tid` and `tst`
  /// replaces the one shown.
  public let seconds: Int64
  /// `acc`, whole metres: Android refuses a fraction.
  public let metres: Int64
  /// The position. It is required, since OwnTracks has no transition without one.
  public let position: Coordinate

  /// Makes the transition for a notice, or throws the reason why OwnTracks has none.
  public init(_ notice: AlarmNotice, target: OwnTracksTarget) throws(DeliveryFailure) {
    guard let position = notice.position else {
      throw .unsuitable(
        "OwnTracks shows no transition without a position, and this one is withheld or unknown")
    }
    switch notice.kind {
    case .ring, .repeat: direction = notice.cause == .left ? .leave : .enter
    case .cleared: direction = notice.cause == .left ? .enter : .leave
    case .test: direction = .enter
    case .missedSignal, .deviceSilent, .batteryLow, .distress, .checkInMissed, .checkInOver, .checkInSoon,
      .deviceUnreadable, .companionNear,
      .companionApart, .companionLost, .companionEnded:
      throw .unsuitable("OwnTracks has no message for an alarm that is about no zone")
    case .notArrived, .arrived:
      throw .unsuitable("OwnTracks has no message for a phone that has not arrived in time")
    case .perhaps: throw .unsuitable("OwnTracks has no message for an entry that is only possible")
    case .notice: throw .unsuitable("OwnTracks shows that a zone was entered, and nothing more")
    case .reminder: throw .unsuitable("OwnTracks has no message for a reminder")
    }
    description = Self.plain(notice.zone?.name ?? "Test")
    trackerID = target.trackerID
    zone = notice.zone?.id
    seconds = notice.time.millisecondsSince1970 / 1000
    metres = Int64(min(max((position.accuracy?.metres ?? 0).rounded(.up), 0), 1e6))
    self.position = position.coordinate
  }

  /// Removes `:`, which is read as a beacon, `|`, which switches a mode, and a leading `-` or `+`, which is a
  /// command.
  private static func plain(_ name: String) -> String {
    let cleaned = name.excerpt(120).replacing(":", with: " ").replacing("|", with: " ")
    let text = cleaned.drop { $0 == "-" || $0 == "+" || $0 == " " }
    return text.isEmpty ? "Zone" : String(text)
  }
}

/// Queues transitions for the phone's next post.
public struct OwnTracksChannel: DeliveryChannel {
  package let target: OwnTracksTarget
  /// Keeps the transition until the phone's next post; throws if it cannot.
  package let queue: @Sendable (OwnTracksTransition, AlarmNotice) async throws -> Void

  public init(
    target: OwnTracksTarget,
    queue: @escaping @Sendable (OwnTracksTransition, AlarmNotice) async throws -> Void
  ) {
    self.target = target
    self.queue = queue
  }

  public var description: String { target.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    do {
      try await queue(OwnTracksTransition(notice, target: target), notice)
      return .delivered(receipt: "queued for the next post")
    } catch let failure as DeliveryFailure {
      return failure.outcome
    } catch {
      return .retry(after: nil, reason: .unreachable("the queue: \(error)".excerpt()))
    }
  }
}
