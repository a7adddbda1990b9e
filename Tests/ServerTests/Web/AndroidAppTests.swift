import Cryptography
import Formats
import Foundation
import HTTPTypes
import Testing

@testable import Server

@Suite("The Android app over HTTP")
struct AndroidAppTests {
  private static let content = Data([0x50, 0x4b, 0x03, 0x04] + (0..<200).map { UInt8($0) })

  private static func hexadecimal(_ data: Data) -> String {
    SHA256.hash(Array(data)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private func run(_ body: @escaping @Sendable (Visitor, URL) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).apk")
    defer { try? FileManager.default.removeItem(at: file) }
    try Self.content.write(to: file)
    var settings = ServerSettings()
    settings.androidApp = file
    try await TestServer(settings).run { stranger in try await body(stranger, file) }
  }

  @Test func `a server without a file offers none`() async throws {
    try await TestServer().run { stranger in
      let offered = try await stranger.get("/api/v1/app")
      #expect(offered.text == #"{"apk":null}"#)
      #expect(try await stranger.get("/app.apk").problem == "not-found")
    }
  }

  @Test func `anybody gets the file, ranges of it, and its checksum`() async throws {
    try await run { stranger, _ in
      let offered = try await stranger.get("/api/v1/app").json["apk"]
      #expect(offered?["address"]?.string == "/app.apk")
      #expect(offered?["sha256"]?.string == Self.hexadecimal(Self.content))
      let whole = try await stranger.get("/app.apk")
      #expect(whole.status == .ok && whole.bytes == Array(Self.content))
      #expect(whole.headers[.contentType] == "application/vnd.android.package-archive")
      #expect(whole.headers[.contentDisposition] == "attachment; filename=\"proximity.apk\"")
      let part = try await stranger.with(.range, "bytes=2-3").get("/app.apk")
      #expect(part.status == .partialContent && part.bytes == [3, 4])
      #expect(try await stranger.with(.ifNoneMatch, whole.tag).get("/app.apk").status == .notModified)
    }
  }

  @Test func `a file that is replaced has its own checksum, and one that is gone is not offered`()
    async throws
  {
    try await run { stranger, file in
      _ = try await stranger.get("/api/v1/app")
      let next = Self.content + Data([1, 2, 3])
      try next.write(to: file, options: .atomic)
      #expect(try await stranger.get("/api/v1/app").json["apk"]?["sha256"]?.string == Self.hexadecimal(next))
      #expect(try await stranger.get("/app.apk").bytes == Array(next))
      for wrong in [Data(), Data("<html>".utf8), Data([0x50, 0x4b])] {
        try wrong.write(to: file, options: .atomic)
        #expect(try await stranger.get("/api/v1/app").text == #"{"apk":null}"#)
        #expect(try await stranger.get("/app.apk").problem == "not-found")
      }
      try FileManager.default.removeItem(at: file)
      #expect(try await stranger.get("/app.apk").problem == "not-found")
    }
  }

  @Test func `a setting that names no APK is refused at the start`() throws {
    for path in ["/nowhere.apk", "/tmp", "/etc/hostname"] {
      var values = ServerSettings.Values()
      values.add(flags: [.androidApp: path])
      let refusal = #expect(throws: ServerSettings.Refusal.self) { try ServerSettings(values) }
      #expect(refusal?.description.hasPrefix("--app-apk: \(path) found, the APK") == true)
    }
  }
}
