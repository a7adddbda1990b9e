import Testing

@testable import Server

@Suite("Topics of OwnTracks")
struct OwnTracksTopicTests {
  @Test(arguments: ["", "/event", "/waypoint", "/waypoints", "/status", "/step", "/beacon", "/dump"])
  func `what phones publish has a user and a device`(kind: String) throws {
    let topic = try #require(OwnTracksTopic("owntracks/anna/pixel 8" + kind))
    #expect(topic.user == "anna" && topic.device == "pixel 8")
    #expect(topic.commands == "owntracks/anna/pixel 8/cmd")
    #expect(topic.name == "anna/pixel 8")
  }

  @Test(arguments: [
    "", "owntracks", "owntracks/anna", "owntracks/anna/", "owntracks//phone", "owntracks/anna/phone/cmd",
    "owntracks/anna/phone/info", "owntracks/anna/phone/", "owntracks/anna/phone/event/x", "other/anna/phone",
    "owntracks/anna/+", "owntracks/#/phone", "/owntracks/anna/phone", "Owntracks/anna/phone",
    "owntracks/\(String(repeating: "u", count: 201))/phone",
  ])
  func `anything else is no phone's`(topic: String) { #expect(OwnTracksTopic(topic) == nil) }
}
