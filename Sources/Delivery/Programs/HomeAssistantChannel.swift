import AlarmEngine
import Formats
import Geometry
import NIOHTTP1
import Store

/// Fires the event `proximity_alarm` in a person's Home Assistant, where an automation rings (see
/// `Integrations/home-assistant`), and updates the positions of phones there.
public struct HomeAssistantChannel: DeliveryChannel {
  package let target: HomeAssistantTarget
  package let http: DeliveryHTTP
  /// Registers again; nil if there is no token for it.
  package let renew: (@Sendable () async throws(DeliveryFailure) -> HomeAssistantTarget)?

  package init(
    target: HomeAssistantTarget, http: DeliveryHTTP,
    renew: (@Sendable () async throws(DeliveryFailure) -> HomeAssistantTarget)? = nil
  ) {
    self.target = target
    self.http = http
    self.renew = renew
  }

  public var description: String { target.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    let words = NoticeWords(notice)
    var data = NoticeJSON.members(of: notice)
    if !target.sharesPosition {
      data.removeAll { NoticeJSON.positions(in: notice.kind).contains($0.0) }
    }
    data += [
      ("state", .string(Self.state(of: notice))), ("title", .string(words.title)),
      ("message", .string(message(of: notice, words))),
      ("urgent", .bool(notice.isUrgent)),
    ]
    return await fire(data)
  }

  /// The body may contain the position. If positions are withheld, the list of a reminder replaces it, or the
  /// title.
  private func message(of notice: AlarmNotice, _ words: NoticeWords) -> String {
    if target.sharesPosition || notice.kind == .notice { return words.body }
    let list = notice.kind == .reminder ? notice.messages.joined(separator: "\n") : ""
    return list.isEmpty ? words.title : list
  }

  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    await fire(NoticeJSON.members(of: withdrawal) + [("state", .string("closed")), ("urgent", .bool(false))])
  }

  /// Sends the position of a phone.
  package func updateLocation(
    _ fix: Fix, of phone: HomeAssistantTarget.Registration
  ) async -> DeliveryOutcome {
    // Home Assistant silently drops a position without `gps_accuracy`.
    let accuracy = fix.accuracy.stated?.metres ?? Self.unstatedAccuracy
    var data: [(String, JSONValue)] = [
      (
        "gps",
        .array([.number(fix.position.latitude.degrees), .number(fix.position.longitude.degrees)])
      ), ("gps_accuracy", .integer(Int64(min(max(accuracy, 0), 1e7).rounded(.up)))),
    ]
    if let speed = fix.speed {
      data.append(("speed", .integer(Int64(min(max(speed.metresPerSecond, 0), 1e4).rounded()))))
    }
    if let course = fix.course {
      data.append(("course", .integer(Int64(min(max(course.degrees, 0), 360).rounded()))))
    }
    return await call("update_location", .object(data), by: phone, of: target)
  }

  /// The accuracy sent for a position that states none, in metres.
  private static let unstatedAccuracy = 100.0

  private func fire(_ data: [(String, JSONValue)]) async -> DeliveryOutcome {
    let event = JSONValue.object([
      ("event_type", .string("proximity_alarm")), ("event_data", .object(data)),
    ])
    var outcome = DeliveryOutcome.gone(reason: .misconfigured("not registered with Home Assistant yet"))
    if let registration = target.registration {
      outcome = await call("fire_event", event, by: registration, of: target)
    }
    guard case .gone = outcome, let renew else { return outcome }
    do throws(DeliveryFailure) {
      let renewed = try await renew()
      guard let registration = renewed.registration else { return outcome }
      return await call("fire_event", event, by: registration, of: renewed)
    } catch {
      switch error {
      // The token was revoked, so no request will succeed again: the owner has to enter another.
      case .status(401, _), .status(403, _): return .gone(reason: error)
      // Home Assistant is starting and has not loaded the integration yet.
      case .status(404, _): return .retry(after: nil, reason: error)
      default: return error.outcome
      }
    }
  }

  private static func state(of notice: AlarmNotice) -> String {
    switch notice.kind {
    case .ring, .repeat: notice.cause == .left ? "leave" : "enter"
    case .cleared: "cleared"
    case .missedSignal, .deviceSilent, .batteryLow, .distress, .checkInMissed, .checkInOver, .checkInSoon,
      .notArrived, .arrived, .deviceUnreadable, .companionNear,
      .companionApart, .companionLost, .companionEnded, .notice, .perhaps, .reminder, .test:
      notice.kind.rawValue
    }
  }

  /// Calls the hooks in their order. If one cannot be reached, the next is tried.
  private func call(
    _ type: String, _ data: JSONValue, by registration: HomeAssistantTarget.Registration,
    of target: HomeAssistantTarget
  ) async -> DeliveryOutcome {
    let body = Array(JSONValue.object([("type", .string(type)), ("data", data)]).text.utf8)
    var outcome = DeliveryOutcome.refused(reason: .misconfigured("no address"))
    for hook in target.hooks(of: registration) {
      do throws(DeliveryFailure) {
        let answer = try await http.send(
          .POST, hook, headers: [("Content-Type", "application/json")], body: body)
        outcome = self.outcome(of: answer)
        if case .retry = outcome { continue }
        return outcome
      } catch { outcome = error.outcome }
    }
    return outcome
  }

  /// Returns the outcome of an answer. If the channel can register again, all of these are "gone": 410, a
  /// device that was removed; 404, an integration that is not loaded; and 200 without content, Home
  /// Assistant's deliberate answer for a webhook that it does not know. A request that `mobile_app` has
  /// processed is answered with a JSON object.
  private func outcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome {
    switch answer.status {
    case 404:
      let reason = DeliveryFailure.status(404, answer.text)
      // Without a token, retry: Home Assistant may be starting.
      return renew == nil ? .retry(after: nil, reason: reason) : .gone(reason: reason)
    case 200..<300 where answer.body.isEmpty:
      let reason = DeliveryFailure.garbled("Home Assistant does not know the webhook")
      return renew == nil ? .retry(after: nil, reason: reason) : .gone(reason: reason)
    default: return answer.outcome(receipt: "", now: .now)
    }
  }
}
