import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("The audit log over HTTP")
struct AuditRoutesTests {
  private static func log(_ visitor: Visitor, _ query: String = "") async throws -> [JSONValue] {
    try await visitor.get("/api/v1/account/audit\(query)").json["items"]?.list ?? []
  }

  private static func lines(_ visitor: Visitor) async throws -> [String] {
    try await log(visitor).map { entry in
      let words = ["by", "action", "subject"].map { entry[$0]?.string ?? "" }
      return words.joined(separator: " ") + (entry["is_refused"]?.flag == true ? " refused" : "")
    }
  }

  @Test func `who did what is told, with names, and what failed`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      _ = try await server.visitor(stranger, "ben")
      server.clock.pass(.seconds(1))
      #expect(
        try await stranger.post(
          "/api/v1/login", [("login", .string("anna")), ("password", .string("wrong"))]
        ).status == .unauthorized)
      server.clock.pass(.seconds(1))
      let made = try await anna.post(
        "/api/v1/tokens", [("scope", .string("write")), ("name", .string("Kitchen"))])
      server.clock.pass(.seconds(1))
      let program = stranger.with(.authorization, "Bearer \(made.json["token"]?.string ?? "")")
      let device = try await program.post("/api/v1/devices", [("name", .string("Phone"))])
      #expect(device.status == .created)
      server.clock.pass(.seconds(1))
      // Refused actions are not listed; actions with a history of their own are listed there.
      #expect(try await program.delete("/api/v1/tokens/\(device.id)").status == .notFound)
      #expect(try await anna.get("/api/v1/devices").status == .ok)
      #expect(try await anna.delete("/api/v1/tokens/\(made.id)").status == .noContent)
      server.clock.pass(.seconds(1))
      #expect(try await anna.delete("/api/v1/devices/\(device.id)").status == .noContent)
      server.clock.pass(.seconds(1))
      _ = try await anna.get("/api/v1/account/export")
      let lines = try await Self.lines(anna)
      #expect(
        lines == [
          "session exportAccount ", "session deleteDevice Phone", "session revokeToken Kitchen",
          "token createDevice Phone", "session createToken Kitchen", "stranger logIn  refused",
          "session setUp ",
        ])
      let entry = try #require(try await Self.log(anna).first { $0["action"]?.string == "createDevice" })
      #expect(entry["by_name"]?.string == "Kitchen" && entry["address"]?.string == "local")
    }
  }

  @Test func `pages follow each other without a gap`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for number in 0..<5 {
        server.clock.pass(.seconds(1))
        #expect(try await anna.post("/api/v1/devices", [("name", .string("p\(number)"))]).status == .created)
      }
      var found: [String] = []
      var cursor = ""
      repeat {
        let page = try await anna.get("/api/v1/account/audit?limit=2\(cursor)")
        found += page.json["items"]?.list?.compactMap { $0["subject"]?.string } ?? []
        cursor = page.json["next"]?.string.map { "&cursor=\($0)" } ?? ""
      } while !cursor.isEmpty
      #expect(found == ["p4", "p3", "p2", "p1", "p0", ""])
    }
  }

  @Test func `whatever is left out of the log is a change of an account's, and there is`() async throws {
    let table = RouteTable.all(try await TestServer().parts)
    let changes = Set(table.filter { RouteTableTests.needsAccount($0) && !$0.isSafe }.map(\.name))
    #expect(AuditLog.quiet.subtracting(changes) == [])
  }
}
