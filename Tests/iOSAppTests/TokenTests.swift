import AlarmEngine
import AppleFakes
import Foundation
import PhoneSimulator
import TestSupport
import Testing

@testable import ProximityApp

/// The token for a server is stored in the keychain, and nowhere else.
@MainActor
@Suite("The iOS app keeps a server's token in the keychain", .serialized)
struct TokenTests {
  private static let address = "https://example.org/home"

  private func make() throws -> (rig: AppRig, server: ReportServer) {
    let rig = try AppRig(Town.day())
    let server = ReportServer()
    rig.fake.network.server = { [server] in server.serve($0, $1) }
    rig.setUp(Town.dayZones)
    return (rig, server)
  }

  private func report(_ rig: AppRig, _ address: String = Self.address, _ token: String = "secret") {
    rig.phone.openApplication()
    let posted = rig.post(["op": "report", "address": address, "token": token], to: "proximityPhone")
    #expect(posted.refusal == nil)
    rig.run(for: .seconds(5))
    rig.phone.leaveApplication()
  }

  private func state(_ rig: AppRig) -> String {
    rig.phone.openApplication()
    defer { rig.phone.leaveApplication() }
    return rig.post(["op": "reports"], to: "proximityPhone").answer as? String ?? ""
  }

  private func reportsFolder(_ rig: AppRig) -> URL { rig.folder.appendingPathComponent("Data/Reports") }

  /// True if any of the app's files contains the word.
  private func isInFiles(_ word: String, _ rig: AppRig) throws -> Bool {
    let all = FileManager.default.enumerator(at: rig.folder, includingPropertiesForKeys: nil)
    for case let file as URL in try #require(all) {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      if bytes.range(of: Data(word.utf8)) != nil { return true }
    }
    return false
  }

  private func accounts(_ rig: AppRig) -> [String] { rig.fake.keychain.items.map(\.account) }

  @Test func `on this phone alone, to be read while it is locked`() throws {
    let (rig, server) = try make()
    report(rig)
    let item = try #require(rig.fake.keychain.items.first)
    #expect(rig.fake.keychain.items.count == 1)
    #expect(item.account == Self.address && item.data == Data("secret".utf8))
    #expect(item.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
    #expect(try !isInFiles("secret", rig))
    #expect(try isInFiles("example.org", rig), "the search finds what is there")
    rig.phone.crash()
    rig.run(for: .hours(3))
    #expect(server.known.count > 20, "the next process knows it")
    report(rig, "", "")
    #expect(rig.fake.keychain.items.isEmpty)
    #expect(try !isInFiles("example.org", rig))
  }

  @Test func `a new link takes the place of the former one`() throws {
    let (rig, server) = try make()
    report(rig)
    report(rig, Self.address, "another")
    #expect(rig.fake.keychain.items.map(\.data) == [Data("another".utf8)])
    report(rig, "https://elsewhere.example", "third")
    #expect(accounts(rig) == ["https://elsewhere.example"])
    server.takesAll = true
    let before = server.requests.count
    rig.run(for: .hours(3))
    let later = server.requests.dropFirst(before)
    #expect(later.count > 5)
    #expect(
      later.allSatisfy {
        $0.url?.host == "elsewhere.example" && $0.value(forHTTPHeaderField: "Authorization") == "Bearer third"
      })
  }

  @Test func `what an earlier version kept in a file is taken over, and the file is gone`() throws {
    let (rig, server) = try make()
    rig.phone.crash()
    let folder = reportsFolder(rig)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("server")
    try Data("\(Self.address)\nsecret".utf8).write(to: file)
    // The keychain does not accept it yet, so it is used from the file.
    rig.fake.keychain.refusal = errSecInteractionNotAllowed
    rig.phone.openApplication()
    rig.run(for: .minutes(1))
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(server.known.count > 0)
    rig.phone.crash()
    rig.fake.keychain.refusal = nil
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.fake.keychain.items.map(\.data) == [Data("secret".utf8)])
    #expect(try !isInFiles("secret", rig))
    rig.phone.leaveApplication()
    rig.phone.crash()
    let before = server.known.count
    rig.run(for: .hours(3))
    #expect(server.known.count > before + 20)
    #expect(rig.told("reports").isEmpty)
  }

  @Test func `a keychain that refuses is told once, positions wait, and they go when it gives the token`()
    throws
  {
    let (rig, server) = try make()
    report(rig)
    rig.phone.crash()
    rig.fake.keychain.refusal = errSecNotAvailable
    rig.run(for: .hours(3))
    #expect(server.known.count < 5, "those before the end of the process")
    #expect(rig.told("reports").count == 1)
    #expect(rig.told("reports").first?.body.contains("\(errSecNotAvailable)") == true)
    #expect(state(rig).contains("\"problem\":\"keychain\""))
    rig.phone.crash()
    rig.run(for: .minutes(40))
    #expect(rig.told("reports").count == 1)
    rig.fake.keychain.refusal = nil
    rig.run(for: .minutes(70))
    #expect(server.known.count > 50)
    #expect(!rig.fake.notificationCentre.standing.contains("reports"))
    #expect(state(rig).contains("\"problem\":\"\""))
  }

  @Test func `a link that the keychain does not take changes nothing, and that is told`() throws {
    let (rig, server) = try make()
    report(rig)
    rig.fake.keychain.refusal = errSecNotAvailable
    report(rig, "https://elsewhere.example", "third")
    #expect(rig.told("reports").count == 1)
    #expect(state(rig).contains("example.org"))
    rig.fake.keychain.refusal = nil
    rig.run(for: .hours(3))
    #expect(server.known.count > 20)
    #expect(accounts(rig) == [Self.address])
  }

  @Test func `a token of a former installation is taken away at the first start`() throws {
    let rig = try AppRig(Town.day())
    rig.fake.keychain.leave(Data("old".utf8), service: TokenKeychain.service, account: "https://old.example")
    rig.fake.keychain.leave(Data("theirs".utf8), service: "another", account: "https://old.example")
    rig.setUp(Town.dayZones)
    #expect(rig.fake.keychain.items.map(\.service) == ["another"])
  }

  /// A token is sent only to the server that it was given for, wherever the process ends while a person
  /// changes servers.
  @Test func `no token goes to another server, wherever the process ends`() throws {
    let tokens = ["example.org": "secret", "elsewhere.example": "third"]
    var ends = 0
    for place in 0..<6 {
      let (rig, server) = try make()
      server.takesAll = true
      report(rig)
      var left = place
      rig.fake.onWritten = { [unowned rig] in
        left -= 1
        guard left == -1 else { return }
        ends += 1
        rig.end()
      }
      report(rig, "https://elsewhere.example", "third")
      rig.fake.onWritten = {}
      rig.phone.openApplication()
      rig.run(for: .hours(3))
      #expect(server.requests.count > 5)
      for request in server.requests {
        let token = try #require(tokens[request.url?.host ?? ""])
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)", "\(place)")
      }
      #expect(accounts(rig).count == 1, "\(place)")
    }
    #expect(
      ends == 5, "after the token, the address, the former token, the notes of the wake time and the battery")
  }
}
