import Formats
import Foundation
import HTTPTypes
import Testing

@testable import AlarmService
@testable import Server

/// That others read the codes is seen in `Tests/EndToEnd`.
@Suite("QR codes")
struct QRCodeTests {
  @Test func `has the three corners by which it is found, and a light margin`() throws {
    let code = try QRCode("https://alarm.example.org")
    #expect(code.width == 25)
    let ring = (0..<7).map { row in
      (0..<7).map { column in code.isDark(column: column, row: row) ? "#" : "." }.joined()
    }
    #expect(ring == ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"])
    #expect(code.isDark(column: code.width - 1, row: 0) && code.isDark(column: 0, row: code.width - 1))
    #expect(!code.isDark(column: -1, row: 0) && !code.isDark(column: 0, row: code.width))
    #expect(code.svg.contains(#"viewBox="0 0 33 33""#))
    #expect(try QRCode("https://alarm.example.org") == code)
  }

  @Test func `holds what a QR code can, and says how much that is`() throws {
    #expect(try QRCode(String(repeating: "a", count: 2953)).width == 177)
    #expect(throws: QRCode.TooLong(given: 2954, allowed: 2953)) {
      try QRCode(String(repeating: "a", count: 2954))
    }
    #expect(throws: QRCode.TooLong.self) { try QRCode("") }
  }

  @Test func `a picture has the size it states`() throws {
    let code = try QRCode("x")
    let png = code.png(scale: 3)
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    // Width and height in IHDR: 21 modules and the margin, three pixels each.
    #expect(Array(png[16..<24]) == [0, 0, 0, 87, 0, 0, 0, 87])
  }

  @Test func `is drawn for who is signed in, in both forms`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let svg = try await anna.post("/api/v1/qr-codes", [("text", .string("geo:46,14"))])
      #expect(svg.headers[.contentType] == "image/svg+xml" && svg.text.hasPrefix("<svg "))
      let png = try await anna.post(
        "/api/v1/qr-codes", [("text", .string("geo:46,14")), ("format", .string("png"))])
      #expect(png.headers[.contentType] == "image/png" && png.bytes.starts(with: [0x89, 0x50]))
      let long = try await anna.post(
        "/api/v1/qr-codes", [("text", .string(String(repeating: "é", count: 2000)))])
      #expect(long.problem == "invalid-content" && long.text.contains("4000 bytes found, 2953 allowed"))
      #expect(try await stranger.post("/api/v1/qr-codes", [("text", .string("x"))]).status == .unauthorized)
    }
  }
}
