import AlarmEngine
import Geometry
import Testing

@testable import Formats

@Suite("P7 Home Assistant")
struct HomeAssistantMessageTests {
  private func text(_ message: HomeAssistantMessage) -> String {
    String(decoding: message.body, as: UTF8.self)
  }

  @Test func `P7 a position, latitude first, whole numbers`() {
    let fix = Fix(
      position: Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.505)),
      accuracy: .radius(.metres(11.3)), measuredAt: phoneArrival, speed: .metresPerSecond(13.2),
      course: .degrees(181))
    #expect(
      text(.updateLocation(fix, battery: 0.63, altitude: .metres(298), verticalAccuracy: .metres(4)))
        == #"{"type":"update_location","data":{"gps":[46.051,14.505],"gps_accuracy":12,"battery":63,"speed":13,"#
        + #""altitude":298,"course":181,"vertical_accuracy":4}}"#)
    let bare = Fix(position: fix.position, accuracy: .unstated, measuredAt: phoneArrival)
    #expect(text(.updateLocation(bare)) == #"{"type":"update_location","data":{"gps":[46.051,14.505]}}"#)
  }

  @Test func `P7 a zone instead of a place, and an alarm as an event`() {
    #expect(
      text(.updateZone(name: nil)) == #"{"type":"update_location","data":{"location_name":"not_home"}}"#)
    #expect(
      text(.updateZone(name: "Work", zones: ["zone.work"]))
        == #"{"type":"update_location","data":{"location_name":"Work","in_zones":["zone.work"]}}"#)
    #expect(
      text(.alarm(AlarmID(rawValue: 1), zone: "Cliff \"edge\"", state: "enter"))
        == #"{"type":"fire_event","data":{"event_type":"proximity_alarm","event_data":{"alarm":"0000000000000001","#
        + #""zone":"Cliff \"edge\"","state":"enter"}}}"#)
  }

  @Test func `P7 a registration, and where its answer sends us`() throws {
    let value = try JSONValue.parse(
      HomeAssistantMessage.registration(deviceID: "d", deviceName: "Anna", version: "1.0").body)
    #expect(
      value.members?.map(\.0) == [
        "device_id", "app_id", "app_name", "app_version", "device_name", "manufacturer", "model", "os_name",
        "os_version", "supports_encryption", "app_data",
      ])
    let answer =
      #"{"cloudhook_url":"https://c/x","remote_ui_url":"https://r/","secret":null,"webhook_id":"w/1"}"#
    let webhook = try #require(HomeAssistantWebhook(answer: Array(answer.utf8)))
    #expect(
      webhook.urls(instance: "http://ha:8123")
        == ["https://c/x", "https://r/api/webhook/w%2F1", "http://ha:8123/api/webhook/w%2F1"])
    #expect(webhook.secret == nil)
    for bad in ["", "[]", "{}", #"{"webhook_id":null}"#, #"{"webhook_id":"#] {
      #expect(HomeAssistantWebhook(answer: Array(bad.utf8)) == nil, "\(bad)")
    }
  }

  @Test func `P7 a status says what to do next`() {
    let outcomes = [200, 201, 400, 404, 410, 503].map { HomeAssistantWebhook.outcome(status: $0) }
    #expect(outcomes == [.taken, .taken, .refused, .tryAgain, .registerAgain, .tryAgain])
  }
}
