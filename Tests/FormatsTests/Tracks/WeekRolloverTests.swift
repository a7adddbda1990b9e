import Foundation
import Testing

@testable import Formats

@Suite("Weeks that GPS receivers lose")
struct WeekRolloverTests {
  private func gpx(_ times: [String], madeAt: String? = nil) -> String {
    let metadata = madeAt.map { "<metadata><time>\($0)</time></metadata>" } ?? ""
    let points = times.map { "<trkpt lat=\"46.05\" lon=\"14.5\"><time>\($0)</time></trkpt>" }.joined()
    return
      "<gpx>\(metadata)<wpt lat=\"1\" lon=\"2\"><time>2026-06-21T10:00:00Z</time></wpt><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }

  /// 1024 weeks before 2026-06-21.
  private let early = "2006-11-05T10:00:00Z"

  @Test func `without evidence they are told, and the time is kept`() {
    #expect(
      story(gpx([early]), as: .gpx) == """
        2006-11-05T10:00:00.000Z 46.05,14.5
        warning: the time 2006-11-05T10:00:00.000Z found, perhaps 1024 weeks too early, as from a receiver whose GPS week \
        counter rolled over (then it should be 2026-06-21T10:00:00.000Z); kept unchanged
        """)
  }

  @Test func `a neighbour, the file's time and a receipt are evidence`() {
    for text in [
      gpx([early, "2026-06-21T10:01:00Z"]), gpx(["2026-06-21T09:59:00Z", early]),
      gpx([early], madeAt: "2026-06-21T11:00:00Z"),
    ] {
      let told = story(text, as: .gpx)
      #expect(told.contains("2026-06-21T10:00:00.000Z 46.05,14.5\n"), "\(told)")
      #expect(
        told.contains("times 1024 weeks too early found (1 of them, 2006-11-05T10:00:00.000Z the first)"),
        "\(told)")
    }
    let received = story("lat,lon,time,received_at\n46.05,14.5,\(early),2026-06-21T10:00:05Z", as: .csv)
    #expect(
      received.hasPrefix("2026-06-21T10:00:00.000Z 46.05,14.5 received 2026-06-21T10:00:05.000Z\nwarning"),
      "\(received)")
    let twice = story(
      "lat,lon,time\n46.05,14.5,1987-03-22T10:00:00Z\n46.05,14.5,2026-06-21T10:01:00Z", as: .csv)
    #expect(
      twice.hasPrefix("2026-06-21T10:00:00.000Z 46.05,14.5\n") && twice.contains("2048 weeks"), "\(twice)")
  }

  @Test func `times of another distance are true, and so are those before GPS`() {
    for times in [
      ["2012-03-01T10:00:00Z", "2026-06-21T10:00:00Z"], ["1970-01-01T00:00:01Z"], ["1990-03-01T10:00:00Z"],
    ] {
      #expect(!story(gpx(times), as: .gpx).contains("weeks"), "\(times)")
    }
    let apart = story(gpx([early, "2026-06-25T10:00:00Z"]), as: .gpx)
    #expect(apart.contains("2006-11-05T10:00:00.000Z 46.05") && apart.contains("kept unchanged"), "\(apart)")
  }

  @Test func `a track that is handed over in parts is put right alike`() throws {
    for text in [
      gpx([early]), gpx([early, "2026-06-21T10:01:00Z"]), gpx(["2026-06-21T09:59:00Z", early, early]),
      gpx([early], madeAt: "2026-06-21T11:00:00Z"), gpx(["2026-06-21T09:59:00Z", "1990-03-01T10:00:00Z"]),
    ] {
      var points: [TrackFile.Point] = []
      let read = try TrackFile.stream(data: Data(text.utf8), name: "x.gpx") { _, part in points += part }
      let parts = TrackFile(devices: [TrackFile.Device(name: "", points: points)], issues: read.issues)
      #expect(story(parts) == story(text, as: .gpx))
      #expect(read.points == points.count)
    }
  }

  @Test func `times at the end of all time are no trouble`() {
    let told = story(gpx(["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", early]), as: .gpx)
    #expect(told.contains("9999-12-31T23:59:59.000Z 46.05"), "\(told)")
  }
}
