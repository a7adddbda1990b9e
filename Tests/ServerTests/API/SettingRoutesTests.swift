import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Testing

@testable import AlarmService
@testable import Server

/// Each setting of the account changes something.
@Suite("Settings of an account")
struct SettingRoutesTests {
  /// The page's own: they change nothing on the server.
  private static let ofPage: Set = [
    "bypass_to_map", "map_selector_range_km", "zone_map_range_km", "reminder_radius_m",
  ]
  /// Changes the configuration that OwnTracks is set up with: the setting's value, and the member that changes.
  private static let ofPhones: [String: (value: Double, member: String, becomes: Double)] = [
    "distance_filter_m": (80.4, "locatorDisplacement", 80),
    "close_region_timeout_s": (3600, "ping", 60),
  ]
  private static let ofServer: [String: JSONValue] = [
    "alarm_cycle_s": .number(20), "default_sleep_s": .number(20), "default_radius_m": .number(70),
    "maximum_speed_m_s": .number(30), "unstated_accuracy_m": .number(40), "danger_margin_m": .number(80),
    "signal_timeout_s": .number(300), "low_battery_percent": .number(20), "repeat_horizon_s": .number(3600),
    "escalation_delays_s": .array([.number(30)]),
  ]

  @Test func `every setting is the page's, a phone's or the server's`() {
    let all = SettingRoutes.members.map(\.name)
    let known = Self.ofPage.union(Self.ofPhones.keys).union(Self.ofServer.keys).union(["time_zone"])
    #expect(Set(all) == known)
    #expect(Set(all).count == all.count)
  }

  @Test(arguments: Array(Self.ofServer.keys).sorted())
  func `a setting of the server changes its decisions`(_ name: String) throws {
    let text = JSONValue.object([(name, try #require(Self.ofServer[name]))]).text
    #expect(
      DeviceSettings.settings([text]) != DeviceSettings.settings([])
        || DeviceSettings.lowBattery([text]) != DeviceSettings.lowBattery([])
        || EscalationDelays(settings: text) != EscalationDelays())
  }

  @Test(arguments: Array(Self.ofPhones.keys).sorted())
  func `a setting of phones is in the set-up file of OwnTracks`(_ name: String) async throws {
    let (value, member, becomes) = try #require(Self.ofPhones[name])
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      func configured() async throws -> Double? {
        let answer = try await anna.post("/api/v1/devices/\(device)/setup/owntracks")
        let file = try #require(answer.json["file"]?.string)
        return try JSONValue.parse(Array(file.utf8))[member]?.double
      }
      let before = try #require(try await configured())
      let tag = try await anna.get("/api/v1/settings").tag
      let put = try await anna.with(.ifMatch, tag).put("/api/v1/settings", [(name, .number(value))])
      #expect(put.status == .ok)
      #expect(try await configured() == becomes)
      #expect(before != becomes)
    }
  }

  @Test(arguments: ["standard_threshold_m", "significant_threshold_m", "watch_policy"])
  func `a setting that would change nothing is refused by name`(_ name: String) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let tag = try await anna.get("/api/v1/settings").tag
      let put = try await anna.with(.ifMatch, tag).put("/api/v1/settings", [(name, .number(100))])
      #expect(put.problem == "invalid-content")
      #expect(put.text.contains("/\(name)"))
    }
  }
}
