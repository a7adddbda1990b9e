import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("A second factor over HTTP")
struct SecondFactorRoutesTests {
  private static let path = "/api/v1/account/second-factor"

  /// The secret that the app has.
  private static func secret(_ server: TestServer, _ anna: Visitor) async throws -> [UInt8] {
    let account = try #require(AccountID(anna.account))
    return try await server.parts.core.store.secondFactor(of: account).secret
  }

  private static func code(_ server: TestServer, _ secret: [UInt8]) -> String {
    TimeCode.code(secret: secret, step: TimeCode.step(at: server.clock.now))
  }

  private static func signIn(_ stranger: Visitor, _ code: String? = nil) async throws -> Visitor.Answer {
    try await stranger.post(
      "/api/v1/login",
      [("login", .string("anna")), ("password", .string("correct horse"))]
        + (code.map { [("code", .string($0))] } ?? []))
  }

  /// - Returns: the recovery codes.
  static func switchOn(_ server: TestServer, _ anna: Visitor) async throws -> [String] {
    let begun = try await anna.post(path, [("password", .string("correct horse"))])
    #expect(begun.status == .created)
    let secret = try await secret(server, anna)
    #expect(begun.json["secret"]?.string == TimeCode.base32(secret))
    let on = try await anna.put(path, [("code", .string(code(server, secret)))])
    #expect(on.status == .ok)
    return on.json["recovery_codes"]?.list?.compactMap(\.string) ?? []
  }

  @Test func `once it is on, nobody signs in without a code, and no code does twice`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      #expect(try await anna.get(Self.path).json["is_on"]?.flag == false)
      #expect(try await anna.post(Self.path, [("password", .string("wrong"))]).status == .forbidden)
      // Begun and not confirmed: no code is asked for.
      #expect(try await anna.post(Self.path, [("password", .string("correct horse"))]).status == .created)
      #expect(try await Self.signIn(stranger).status == .ok)
      #expect(try await anna.put(Self.path, [("code", .string("000000"))]).problem == "invalid-content")
      let paper = try await Self.switchOn(server, anna)
      #expect(Set(paper).count == SecondFactor.recoveryCodesAtFirst)
      #expect(try await anna.get(Self.path).json["is_on"]?.flag == true)
      #expect(
        try await anna.post(Self.path, [("password", .string("correct horse"))]).problem == "conflict")
      #expect(try await anna.put(Self.path, [("code", .string("000000"))]).problem == "conflict")
      let secret = try await Self.secret(server, anna)
      #expect(try await Self.signIn(stranger).problem == "second-factor-needed")
      // The code that switched it on is used up.
      #expect(try await Self.signIn(stranger, Self.code(server, secret)).problem == "wrong-credentials")
      server.clock.pass(.seconds(30))
      let code = Self.code(server, secret)
      #expect(try await Self.signIn(stranger, code).status == .ok)
      #expect(try await Self.signIn(stranger, code).problem == "wrong-credentials")
      #expect(try await Self.signIn(stranger, paper[3].uppercased()).status == .ok)
      #expect(try await Self.signIn(stranger, paper[3]).problem == "wrong-credentials")
      #expect(
        try await anna.get(Self.path).json["recovery_codes"]?.whole
          == Int64(SecondFactor.recoveryCodesAtFirst - 1))
      // A wrong password is reported as before, whatever the code.
      let wrong = try await stranger.post(
        "/api/v1/login",
        [("login", .string("anna")), ("password", .string("wrong")), ("code", .string(paper[4]))])
      #expect(wrong.problem == "wrong-credentials")
      #expect(
        try await anna.send(.delete, Self.path, .object([("password", .string("wrong"))])).status
          == .forbidden)
      #expect(
        try await anna.send(.delete, Self.path, .object([("password", .string("correct horse"))])).status
          == .noContent)
      #expect(try await Self.signIn(stranger).status == .ok)
    }
  }

  @Test func `codes cannot be tried without end`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      _ = try await Self.switchOn(server, anna)
      var problems: [String] = []
      for _ in 0..<30 { problems.append(try await Self.signIn(stranger, "000000").problem) }
      #expect(problems.first == "wrong-credentials" && problems.last == "too-many-requests")
    }
  }

  @Test func `a token does what its scope says and no more`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      func program(_ scope: String?) async throws -> Visitor {
        let made = try await anna.post(
          "/api/v1/tokens",
          [("name", .string("program"))] + (scope.map { [("scope", .string($0))] } ?? []))
        #expect(made.json["scope"]?.string == scope ?? "write")
        return stranger.with(.authorization, "Bearer \(made.json["token"]?.string ?? "")")
      }
      let fix = #"[{"latitude":46,"longitude":14,"accuracy_m":5,"measured_at":1795000000000}]"#
      for (scope, reads, writes, reports) in [
        ("read", true, false, false), ("report", false, false, true), ("write", true, true, true),
        (nil, true, true, true),
      ] {
        let program = try await program(scope)
        let place = "\(scope ?? "none")"
        #expect((try await program.get("/api/v1/zones").status == .ok) == reads, "\(place)")
        #expect(
          (try await program.post("/api/v1/zones", JSONValue.zone("new")).status == .created) == writes,
          "\(place)")
        let reported = try await program.send(
          .post, "/api/v1/fixes?name=phone", bytes: Array(fix.utf8), type: "application/json")
        #expect((reported.status.code < 300) == reports, "\(place) \(reported.text)")
      }
      let device = try await anna.get("/api/v1/devices").json["items"]?.list?.first?["id"]?.string ?? ""
      let refused = try await anna.post(
        "/api/v1/tokens", [("device_id", .string(device)), ("scope", .string("write"))])
      #expect(refused.problem == "invalid-content")
      let own = try await anna.post("/api/v1/tokens", [("device_id", .string(device))])
      #expect(own.json["scope"]?.string == "report")
    }
  }
}
