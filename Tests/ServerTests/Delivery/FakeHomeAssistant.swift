import Formats
import Foundation
import NIOConcurrencyHelpers

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Answers as Home Assistant's documented API does: registrations of `mobile_app` under a long-lived access
/// token, and their webhooks. Sources: developers.home-assistant.io, "Native app integration"; components
/// `mobile_app` and `webhook`.
final class FakeHomeAssistant: Sendable {
  struct Phone: Sendable, Equatable {
    let deviceID: String
    let name: String
    let webhook: String
  }
  struct Event: Sendable {
    let phone: Phone
    let type: String
    let data: JSONValue
  }
  private struct Book {
    var token = "a-long-lived-token"
    var isLoaded = true
    var phones: [Phone] = []
    var deleted: Set<String> = []
    var events: [Event] = []
    var places: [(phone: Phone, data: JSONValue)] = []
    var refused: [String] = []
    var next = 0
  }
  private let book = NIOLockedValueBox(Book())

  var phones: [Phone] { book.withLockedValue { $0.phones } }
  var events: [Event] { book.withLockedValue { $0.events } }
  var places: [(phone: Phone, data: JSONValue)] { book.withLockedValue { $0.places } }
  /// Requests that were answered with 200 and discarded, as Home Assistant does.
  var refused: [String] { book.withLockedValue { $0.refused } }

  /// Sets whether the integration is loaded.
  func set(isLoaded: Bool) { book.withLockedValue { $0.isLoaded = isLoaded } }
  /// Replaces the token, as when a person revokes it or makes another.
  func set(token: String) { book.withLockedValue { $0.token = token } }
  /// Removes the device, as a person can in Home Assistant.
  func remove(_ phone: Phone) {
    book.withLockedValue { book in
      book.phones.removeAll { $0 == phone }
      book.deleted.insert(phone.webhook)
    }
  }
  /// Forgets everything, as when Home Assistant is set up anew.
  func forgetAll() {
    book.withLockedValue { book in
      book.phones = []
      book.deleted = []
    }
  }

  func answer(_ request: ReceivedRequest) -> CannedAnswer {
    if request.path == "/api/mobile_app/registrations" { return register(request) }
    let prefix = "/api/webhook/"
    guard request.path.hasPrefix(prefix) else { return CannedAnswer(status: 404, body: "404: Not Found") }
    return hear(String(request.path.dropFirst(prefix.count)), request)
  }

  private func register(_ request: ReceivedRequest) -> CannedAnswer {
    book.withLockedValue { book in
      guard book.isLoaded else { return CannedAnswer(status: 404, body: "404: Not Found") }
      guard request["Authorization"] == "Bearer \(book.token)" else {
        return CannedAnswer(status: 401, body: "401: Unauthorized")
      }
      guard let body = try? JSONValue.parse(request.body) else { return CannedAnswer(status: 400) }
      let texts = [
        "device_id", "app_id", "app_name", "app_version", "device_name", "manufacturer", "model", "os_name",
      ]
      guard texts.allSatisfy({ body[$0]?.string?.isEmpty == false }),
        body["supports_encryption"]?.flag == false
      else { return CannedAnswer(status: 400, body: #"{"message":"Message format incorrect"}"#) }
      book.next += 1
      let phone = Phone(
        deviceID: body["device_id"]?.string ?? "", name: body["device_name"]?.string ?? "",
        webhook: "hook\(book.next)")
      // A new registration of the same device replaces the old one.
      for old in book.phones where old.deviceID == phone.deviceID { book.deleted.insert(old.webhook) }
      book.phones.removeAll { $0.deviceID == phone.deviceID }
      book.phones.append(phone)
      return CannedAnswer(
        status: 201, headers: [("Content-Type", "application/json")],
        body: #"{"cloudhook_url":null,"remote_ui_url":null,"secret":null,"webhook_id":"\#(phone.webhook)"}"#)
    }
  }

  private func hear(_ webhook: String, _ request: ReceivedRequest) -> CannedAnswer {
    let taken = CannedAnswer(headers: [("Content-Type", "application/json")], body: "{}")
    return book.withLockedValue { book in
      guard book.isLoaded else { return CannedAnswer(status: 404, body: "404: Not Found") }
      if book.deleted.contains(webhook) { return CannedAnswer(status: 410) }
      // "Always respond successfully to not give away if a hook exists or not."
      guard let phone = book.phones.first(where: { $0.webhook == webhook }) else { return CannedAnswer() }
      guard let body = try? JSONValue.parse(request.body), let data = body["data"] else {
        return CannedAnswer(status: 400, body: "{}")
      }
      switch body["type"]?.string {
      case "fire_event":
        guard let type = data["event_type"]?.string, let event = data["event_data"], event.members != nil
        else {
          book.refused.append(data.text)
          return taken
        }
        book.events.append(Event(phone: phone, type: type, data: event))
      case "update_location":
        let known: Set<String> = [
          "location_name", "gps", "gps_accuracy", "battery", "speed", "altitude", "course",
          "vertical_accuracy",
        ]
        let names = Set((data.members ?? []).map(\.0))
        let isWhole = ["speed", "course", "battery"].allSatisfy {
          data[$0] == nil || data[$0]?.whole ?? -1 >= 0
        }
        // A position without its accuracy, and an unknown member, are dropped silently.
        guard names.isSubset(of: known), isWhole, data["gps"] == nil || data["gps_accuracy"]?.double != nil
        else {
          book.refused.append(data.text)
          return taken
        }
        book.places.append((phone, data))
      default: book.refused.append(body.text)
      }
      return taken
    }
  }
}
