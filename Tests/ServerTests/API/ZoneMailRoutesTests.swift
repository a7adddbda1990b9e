import AlarmEngine
import Formats
import HTTPTypes
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// `Tests/EndToEnd` checks that the mail arrives with the zone.
@Suite("Zones by mail")
struct ZoneMailRoutesTests {
  @Test func `a server without a mail server says so, and addresses are checked`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("Cliff"))
      func send(_ to: String, _ id: String? = nil) async throws -> Visitor.Answer {
        try await anna.post("/api/v1/zones/\(id ?? zone.id)/mail", [("to", .string(to))])
      }
      let refused = try await send("bob@example.org")
      #expect(refused.json["outcome"]?.string == "refused")
      #expect(refused.json["detail"]?.string?.contains("no mail server") == true)
      for address in ["bob", "a@b\r\nBcc: c@d", "a@b, c@d", "<a@b>", "ä@example.org"] {
        #expect(try await send(address).problem == "invalid-content", "\(address)")
      }
      #expect(try await send("bob@example.org", "00000000deadbeef").problem == "not-found")
    }
  }

  @Test func `an account sends no more mails than a person would`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("Cliff"))
      func send() async throws -> Visitor.Answer {
        try await anna.post("/api/v1/zones/\(zone.id)/mail", [("to", .string("bob@example.org"))])
      }
      for _ in 0..<20 { #expect(try await send().status == .ok) }
      let refused = try await send()
      #expect(refused.problem == "too-many-requests" && refused.headers[.retryAfter] != nil)
      server.clock.pass(.minutes(3))
      #expect(try await send().status == .ok)
    }
  }
}
