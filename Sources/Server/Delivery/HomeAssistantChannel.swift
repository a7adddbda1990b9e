import AlarmEngine
import Formats
import Geometry
import NIOHTTP1

/// Fires the event `proximity_alarm` in somebody's Home Assistant, where an automation rings (see
/// `Integrations/home-assistant`), and keeps the phone's place there up to date.
public struct HomeAssistantChannel: DeliveryChannel {
  let target: HomeAssistantTarget
  let http: DeliveryHTTP

  public init(target: HomeAssistantTarget, http: DeliveryHTTP) {
    self.target = target
    self.http = http
  }

  public var description: String { target.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    let words = NoticeWords(notice)
    var data = NoticeJSON.members(of: notice)
    if !target.sharesPosition {
      data.removeAll { ["latitude", "longitude", "accuracy_m", "distance_m"].contains($0.0) }
    }
    data += [
      ("state", .string(Self.state(of: notice))), ("title", .string(words.title)),
      // What is withheld must not stand in the words either.
      ("message", .string(target.sharesPosition || notice.kind == .notice ? words.body : words.title)),
      ("urgent", .bool(notice.isUrgent)),
    ]
    return await fire(data)
  }

  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    await fire(NoticeJSON.members(of: withdrawal) + [("state", .string("closed")), ("urgent", .bool(false))])
  }

  /// Reports where the phone is, or only which zone it is in.
  /// - Parameter zone: its name; nil is "not_home".
  public func updateLocation(_ position: AlarmNotice.Position?, zone: String?) async -> DeliveryOutcome {
    var data: [(String, JSONValue)] = []
    if target.sharesPosition, let position {
      data.append(
        (
          "gps",
          .array([
            .number(position.coordinate.latitude.degrees), .number(position.coordinate.longitude.degrees),
          ])
        ))
      if let accuracy = position.accuracy {
        data.append(("gps_accuracy", .integer(Int64(min(accuracy.metres, 1e7).rounded(.up)))))
      }
    } else {
      data.append(("location_name", .string(zone ?? "not_home")))
    }
    return await call("update_location", .object(data))
  }

  private func fire(_ data: [(String, JSONValue)]) async -> DeliveryOutcome {
    await call(
      "fire_event", .object([("event_type", .string("proximity_alarm")), ("event_data", .object(data))]))
  }

  private static func state(of notice: AlarmNotice) -> String {
    switch notice.kind {
    case .ring, .repeat: notice.cause == .left ? "leave" : "enter"
    case .cleared: "cleared"
    case .missedSignal, .deviceSilent, .batteryLow, .distress, .deviceUnreadable, .notice, .test:
      notice.kind.rawValue
    }
  }

  /// The hooks in their order: the next is tried where one cannot be reached.
  private func call(_ type: String, _ data: JSONValue) async -> DeliveryOutcome {
    let body = Array(JSONValue.object([("type", .string(type)), ("data", data)]).text.utf8)
    var outcome = DeliveryOutcome.refused(reason: .misconfigured("no address"))
    for hook in target.hooks {
      do throws(DeliveryFailure) {
        let answer = try await http.send(
          .POST, hook.text, headers: [("Content-Type", "application/json")], body: body)
        switch answer.status {
        // The integration is not loaded (yet): Home Assistant is starting.
        case 404: outcome = .retry(after: nil, reason: .status(404, answer.text))
        default: outcome = answer.outcome(receipt: "", now: .now)
        }
        if case .retry = outcome { continue }
        return outcome
      } catch { outcome = error.outcome }
    }
    return outcome
  }
}
