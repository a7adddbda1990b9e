import Formats
import Foundation
import HTTPTypes
import Testing

@testable import Server

/// Wherever a login is typed, the answer and later lists are the same whether the account exists or not.
@Suite("Logins that are typed")
struct LoginDisclosureTests {
  private struct Place: Sendable {
    let name: String
    /// Returns the address, after making the item that it belongs to.
    let post: @Sendable (IngestScene) async throws -> String
  }

  private static let places = [
    Place(
      name: "collection",
      post: { scene in
        let made = try await scene.anna.post("/api/v1/collections", [("name", .string("Quarries"))])
        return "/api/v1/collections/\(made.id)/members"
      }),
    Place(
      name: "group",
      post: { scene in
        let made = try await scene.anna.post("/api/v1/groups", [("name", .string("Crew"))])
        return "/api/v1/groups/\(made.id)/members"
      }),
    Place(name: "deputy", post: { _ in "/api/v1/deputies" }),
    Place(name: "sealed contact", post: { _ in "/api/v1/sealed-contacts" }),
    Place(name: "share", post: { _ in "/api/v1/shares" }),
    Place(name: "password", post: { _ in "/api/v1/password-resets" }),
  ]

  /// The text without the parts that differ from call to call.
  private static func shape(_ text: String, _ login: String) -> String {
    text.replacing(login, with: "LOGIN").replacing(login.lowercased(), with: "LOGIN")
      .replacing(#/"[0-9a-f]{16}"/#, with: "ID").replacing(#/\d{4}-\d\d-\d\dT[0-9:.]+Z/#, with: "TIME")
  }

  @Test(arguments: ["collection", "group", "deputy", "sealed contact", "share", "password"])
  func `a login that nobody has answers and lists as one that somebody has`(name: String) async throws {
    let place = try #require(Self.places.first { $0.name == name })
    try await IngestScene.run(zones: []) { scene in
      let stranger = Visitor(client: scene.anna.client, table: scene.anna.table)
      _ = try await scene.server.visitor(stranger, "known1")
      let device = try await scene.anna.post("/api/v1/devices", [("name", .string("phone"))])
      let path = try await place.post(scene)
      let more: [(String, JSONValue)] =
        name == "share" ? [("device_id", .string(device.id)), ("precision", .string("place"))] : []
      func add(_ login: String) async throws -> String {
        let answer = try await scene.anna.post(path, [("login", .string(login))] + more)
        return "\(answer.status.code) \(Self.shape(answer.text, login))"
      }
      func listed(_ login: String) async throws -> [String] {
        let answer = try await scene.anna.get(path)
        guard answer.status == .ok else { return [] }
        let items = answer.json["items"]?.list ?? []
        return items.map(\.text).filter { $0.contains(login) }.map { Self.shape($0, login) }
      }
      let known = try await add("known1")
      let unknown = try await add("nobody")
      #expect(known == unknown, "\(known) \(unknown)")
      #expect(try await listed("known1") == listed("nobody"))
      if name != "password" {
        #expect(known.hasPrefix("20"), "\(known)")
        #expect(try await listed("nobody").count == 1)
      }
      // Added once more, and in another spelling.
      #expect(try await add("known1") == add("nobody"))
      #expect(try await add("KNOWN1") == add("NOBODY"))
      #expect(try await listed("known1") == listed("nobody"))
      // Later the login is taken.
      _ = try await scene.server.visitor(stranger, "nobody")
      #expect(try await listed("known1") == listed("nobody"))
      #expect(try await add("known1") == add("nobody"))
    }
  }
}
