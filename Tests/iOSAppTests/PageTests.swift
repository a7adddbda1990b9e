import AlarmEngine
import AppleFakes
import Foundation
import FoundationNetworking
import PhoneSimulator
import Testing
import WebEngine

@testable import ProximityApp

@MainActor
@Suite("The page in the iOS app", .serialized)
struct PageTests {
  private func opened() throws -> (rig: AppRig, web: WKWebView) {
    let rig = try AppRig(Town.day())
    let page = rig.folder.appendingPathComponent("Page")
    try FileManager.default.createDirectory(
      at: page.appendingPathComponent("map"), withIntermediateDirectories: true)
    try Data("<!doctype html>".utf8).write(to: page.appendingPathComponent("index.html"))
    try Data("export {}".utf8).write(to: page.appendingPathComponent("a b.js"))
    try Data((0..<1000).map { UInt8($0 % 251) }).write(to: page.appendingPathComponent("map/world.pmtiles"))
    try Data("secret".utf8).write(to: rig.folder.appendingPathComponent("secret.txt"))
    rig.phone.openApplication()
    return (rig, try #require(rig.app.page.web))
  }

  @Test func `is loaded from the app, with its types`() throws {
    let (rig, web) = try opened()
    #expect(web.url?.absoluteString == "proximity://app/index.html")
    defer { withExtendedLifetime(rig) {} }
    for (path, type, status) in [
      ("index.html", "text/html; charset=utf-8", 200), ("", "text/html; charset=utf-8", 200),
      ("a%20b.js?x=1", "text/javascript; charset=utf-8", 200),
      ("map/world.pmtiles", "application/octet-stream", 200),
      ("missing.js", nil, 404), ("map", nil, 404), ("../secret.txt", nil, 404),
      ("%2e%2e/secret.txt", nil, 404),
      ("map/%2e%2e/%2e%2e/secret.txt", nil, 404),
    ] as [(String, String?, Int)] {
      let fetched = web.fetch("proximity://app/\(path)")
      #expect(fetched.response?.statusCode == status, "\(path)")
      #expect(fetched.response?.value(forHTTPHeaderField: "Content-Type") == type, "\(path)")
      #expect(fetched.isFinished, "\(path)")
    }
  }

  @Test(
    arguments: [
      ("bytes=0-9", 206, 0..<10, "bytes 0-9/1000"), ("bytes=990-", 206, 990..<1000, "bytes 990-999/1000"),
      ("bytes=-5", 206, 995..<1000, "bytes 995-999/1000"), ("bytes=-5000", 206, 0..<1000, "bytes 0-999/1000"),
      ("bytes=500-5000", 206, 500..<1000, "bytes 500-999/1000"), ("bytes=1000-", 416, 0..<0, "bytes */1000"),
      ("bytes=-0", 416, 0..<0, "bytes */1000"), ("bytes=9-3", 200, 0..<1000, nil),
      ("bytes=a-b", 200, 0..<1000, nil),
      ("bytes=0-1,4-5", 200, 0..<1000, nil), ("lines=0-1", 200, 0..<1000, nil),
      ("bytes=99999999999999999999-", 200, 0..<1000, nil),
    ] as [(String, Int, Range<Int>, String?)])
  func `reads pieces of the map`(range: String, status: Int, bytes: Range<Int>, field: String?) throws {
    let (rig, web) = try opened()
    let fetched = withExtendedLifetime(rig) { web.fetch("proximity://app/map/world.pmtiles", range: range) }
    #expect(fetched.response?.statusCode == status)
    #expect(fetched.body == Data(bytes.map { UInt8($0 % 251) }))
    #expect(fetched.response?.value(forHTTPHeaderField: "Content-Range") == field)
    #expect(fetched.response?.value(forHTTPHeaderField: "Content-Length") == "\(bytes.count)")
  }

  @Test func `asks the engine through its bridge, and is answered in words where it asks wrongly`() throws {
    let (rig, web) = try opened()
    // Only the page can set and arm zones.
    func ask(_ entries: [PageValue.Entry]) throws -> PageValue {
      let now = PageValue.Entry("now_ms", .integer(rig.phone.now.millisecondsSince1970))
      let request = Data(PageValue.map(entries + [now]).cbor).base64EncodedString()
      let posted = rig.post(["op": "ask", "base64": request], to: "proximityPhone")
      let bytes = try #require((posted.answer as? String).flatMap { Data(base64Encoded: $0) })
      return try PageValue(cbor: [UInt8](bytes))
    }
    let zones = PageValue.list(Town.dayZones.map { ZoneForm.form(of: $0) })
    #expect(
      try ask([.init("ask", .text("phone_watch")), .init("zones", zones)]).cbor
        == PageValue.map([
          .init("zones", .integer(4)), .init("refused_zones", .list([])),
          .init("reminder_places", .integer(0)),
        ]).cbor)
    #expect(
      try ask([.init("ask", .text("phone_act")), .init("command", .text("activate"))]).cbor
        == PageValue.map([.init("done", .bool(true))]).cbor)
    #expect(rig.permissions.contains("\"watching\":true"))
    #expect(rig.app.engine?.zone(ZoneID(rawValue: 1))?.name == "Hazard")
    #expect(rig.post("ask", to: "proximityPhone").refusal != nil)
    #expect(rig.post(["op": "ask", "base64": "%"], to: "proximityPhone").refusal == "a request is base64")
    #expect(
      rig.post(["op": "request", "what": "all"], to: "proximityPhone").refusal?.contains("notifications")
        == true)
    #expect(rig.post(["op": "dance"], to: "proximityPhone").refusal?.contains("dance") == true)
    let state = try #require(rig.post(["op": "permissions"], to: "proximityPhone").answer as? String)
    #expect(try JSONSerialization.jsonObject(with: Data(state.utf8)) is [String: Any])
    let told = web.evaluated.count
    rig.phone.perform { _ in MainActor.assumeIsolated { rig.app.engine?.perform(.activate) } }
    #expect(web.evaluated.dropFirst(told).contains { $0.contains("onchange") })
    rig.run(for: .seconds(1))
    #expect(rig.post(["op": "openSettings"], to: "proximityPhone").refusal == nil)
    #expect(rig.fake.opened.count == 1)
  }

  @Test func `opens other addresses outside, and is loaded anew when its memory was taken`() throws {
    let (rig, web) = try opened()
    var policy: WKNavigationActionPolicy?
    let outside = WKNavigationAction(request: URLRequest(url: URL(string: "https://www.openstreetmap.org/")!))
    rig.phone.perform { _ in
      MainActor.assumeIsolated {
        web.navigationDelegate?.webView(web, decidePolicyFor: outside) { policy = $0 }
      }
    }
    #expect(policy == .cancel)
    #expect(rig.fake.opened.map(\.host) == ["www.openstreetmap.org"])
    rig.phone.perform { _ in
      MainActor.assumeIsolated { web.navigationDelegate?.webViewWebContentProcessDidTerminate(web) }
    }
    #expect(web.url == PageController.start)
  }

  @Test func `rings once for the first-run check, with the phone put away`() throws {
    let (rig, _) = try opened()
    for what in ["notifications", "alarms"] {
      #expect(rig.post(["op": "request", "what": what], to: "proximityPhone").refusal == nil)
    }
    rig.run(for: .seconds(1))
    #expect(rig.post(["op": "test", "seconds": 30], to: "proximityPhone").refusal == nil)
    rig.phone.leaveApplication()
    rig.run(for: .seconds(29))
    #expect(rig.told("trial") == [] && rig.fake.systemAlarms.rung == [])
    rig.run(for: .seconds(3))
    #expect(rig.told("trial").count == 1)
    #expect(rig.fake.systemAlarms.rung.count == 1)
  }

  @Test func `offers a file of the page's to be saved, under its name, and says what became of it`() throws {
    let (rig, web) = try opened()
    for (name, kept, isSaved) in [
      ("zones.pad", "zones.pad", true), ("../../a/b.gpx", "b.gpx", false), (".hidden", "file", true),
      ("", "file", true),
    ] {
      let body: [String: Any] = [
        "op": "save", "name": name, "type": "text/plain", "base64": Data("zones".utf8).base64EncodedString(),
      ]
      #expect(rig.post(body, to: "proximityPhone").answer as? Bool == true)
      let sheet = try #require(rig.fake.sharing.last)
      let file = try #require(sheet.items.first as? URL)
      #expect(file.lastPathComponent == kept)
      #expect(try Data(contentsOf: file) == Data("zones".utf8))
      rig.phone.perform { _ in MainActor.assumeIsolated { sheet.answer(isSaved) } }
      #expect(web.evaluated.last?.contains("onsaved?.(\(isSaved))") == true)
      #expect(!FileManager.default.fileExists(atPath: file.path), "nothing stays behind")
    }
    #expect(rig.post(["op": "save", "name": "x"], to: "proximityPhone").refusal != nil)
  }

  @Test func `takes a file that another app gives, once, and a sound of a person's own`() throws {
    let (rig, web) = try opened()
    let file = rig.folder.appendingPathComponent("zones.pad")
    try Data("zones".utf8).write(to: file)
    #expect(rig.post(["op": "takeFile"], to: "proximityPhone").answer as? String == "")
    rig.phone.openFile(file)
    #expect(web.evaluated.last?.contains("onfile") == true)
    let taken = try #require(rig.post(["op": "takeFile"], to: "proximityPhone").answer as? String)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(taken.utf8)) as? [String: String])
    #expect(fields["name"] == "zones.pad")
    #expect(fields["base64"] == Data("zones".utf8).base64EncodedString())
    #expect(rig.post(["op": "takeFile"], to: "proximityPhone").answer as? String == "")

    let sound: [String: Any] = [
      "op": "keepSound", "name": "Mine", "base64": Data([1, 2]).base64EncodedString(),
    ]
    #expect(rig.post(sound, to: "proximityPhone").answer as? Bool == true)
    rig.phone.perform { _ in MainActor.assumeIsolated { #expect(AlarmTone.file(named: "Mine") == "Mine.wav") }
    }
    let outside: [String: Any] = ["op": "keepSound", "name": "../../Mine", "base64": "AQI="]
    #expect(rig.post(outside, to: "proximityPhone").answer as? Bool == false)
    rig.phone.perform { _ in
      MainActor.assumeIsolated { #expect(AlarmTone.file(named: "../../Mine") == AlarmTone.name) }
    }
  }
}
