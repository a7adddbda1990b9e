import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import NIOCore
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Live events")
struct EventStreamTests {
  /// An open stream that is read event by event.
  struct Reader: ~Copyable {
    private var body: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
    private var held = ""

    init(_ body: AsyncThrowingStream<ByteBuffer, any Error>) { self.body = body.makeAsyncIterator() }

    /// The fields of the next event, skipping comments. Nil at the end.
    mutating func next() async throws -> [String: String]? {
      while true {
        while let end = held.range(of: "\n\n") {
          let block = held[..<end.lowerBound]
          held = String(held[end.upperBound...])
          var fields: [String: String] = [:]
          for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[String(parts[0])] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
          }
          if fields["data"] != nil { return fields }
        }
        guard let chunk = try await body.next() else { return nil }
        held += String(buffer: chunk)
      }
    }
  }

  static func open(_ anna: Visitor, after: String? = nil) async throws -> LiveAnswer {
    var headers = HTTPFields()
    headers[.cookie] = anna.cookie
    if let after, let name = HTTPField.Name("Last-Event-ID") { headers[name] = after }
    let request = HTTPRequest(
      method: .get, scheme: "http", authority: "localhost", path: "/api/v1/events", headerFields: headers)
    let answer = try await LiveAnswer.to(request, nil, port: try #require(anna.client.port))
    #expect(answer.status == .ok)
    #expect(answer.headers[.contentType] == "text/event-stream")
    return answer
  }

  @Test(.timeLimit(.minutes(5)))
  func `a change arrives as it is made, and a stream resumes where another ended`() async throws {
    let server = try await TestServer()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let ben = try await server.visitor(stranger, "ben")
      var reader = Reader(try await Self.open(anna).body)
      _ = try await ben.post("/api/v1/zones", JSONValue.zone("his"))
      let first = try await anna.post("/api/v1/zones", JSONValue.zone("first")).id
      let event = try #require(try await reader.next())
      #expect(event["event"] == "zone" && event["data"]?.contains(first) == true)
      _ = consume reader
      let second = try await anna.post("/api/v1/zones", JSONValue.zone("second")).id
      let ids = try await IsolationTests.furnish(anna, server)
      server.parts.core.hub.publish(try #require(AccountID(anna.account)))
      var resumed = Reader(try await Self.open(anna, after: event["id"]).body)
      var kinds: [String] = []
      while true {
        let event = try #require(try await resumed.next())
        kinds.append(event["event"] ?? "")
        if event["event"] == "zone", kinds.count == 1 { #expect(event["data"]?.contains(second) == true) }
        if event["event"] == "alarm" {
          let data = try JSONValue.parse(Array((event["data"] ?? "").utf8))
          #expect(data["alarm"]?["id"]?.string == ids["alarm"])
          #expect(data["alarm"]?["state"]?.string == "ringing")
          break
        }
      }
      #expect(kinds.first == "zone")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an account has only so many streams, and a closed one makes room at once`() async throws {
    var settings = ServerSettings()
    settings.streamsPerAccount = 1
    let server = try await TestServer(settings)
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      let task = Task {
        var reader = Reader(try await Self.open(anna).body)
        _ = try? await reader.next()
      }
      while server.parts.core.hub.streamCount == 0 { await Task.yield() }
      #expect(try await anna.get("/api/v1/events").problem == "too-many-requests")
      task.cancel()
      _ = try? await task.value
      while server.parts.core.hub.streamCount > 0 { await Task.yield() }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a stream ends when its session is over`() async throws {
    let server = try await TestServer()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      let response = try await Self.open(anna)
      while server.parts.core.hub.streamCount == 0 { await Task.yield() }
      _ = try await anna.post("/api/v1/logout")
      server.parts.core.hub.beat()
      var reader = Reader(response.body)
      while try await reader.next() != nil {}
      while server.parts.core.hub.streamCount > 0 { await Task.yield() }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `all streams end when the server stops`() async throws {
    let server = try await TestServer()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      var reader = Reader(try await Self.open(anna).body)
      while server.parts.core.hub.streamCount == 0 { await Task.yield() }
      server.parts.core.hub.close()
      while try await reader.next() != nil {}
      #expect(server.parts.core.hub.listen(try #require(AccountID(anna.account))) == nil)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `whoever comes from beyond the feed is told to begin anew, and hears what follows`() async throws {
    let server = try await TestServer()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      for place in ["99999999", "00000000000000ff-1", "nonsense-99999999"] {
        var reader = Reader(try await Self.open(anna, after: place).body)
        #expect(try #require(try await reader.next())["event"] == "reset", "\(place)")
        let zone = try await anna.post("/api/v1/zones", JSONValue.zone("after")).id
        let event = try #require(try await reader.next())
        #expect(event["event"] == "zone" && event["data"]?.contains(zone) == true)
        _ = consume reader
        // From there it continues without a gap.
        var resumed = Reader(try await Self.open(anna, after: event["id"]).body)
        _ = try await anna.post("/api/v1/zones", JSONValue.zone("later"))
        #expect(try #require(try await resumed.next())["event"] == "zone")
      }
    }
  }

  @Test func `a cursor from beyond the feed is gone, and one of this epoch is not`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("first"))
      let page = try await anna.get("/api/v1/sync").json
      let (next, epoch) = (page["next"]?.whole ?? 0, page["epoch"]?.string ?? "")
      #expect(next > 0)
      for (query, problem) in [
        ("after=\(next)&epoch=\(epoch)", ""), ("after=\(next)", ""), ("after=0&epoch=nonsense", ""),
        ("after=99999999", "gone"), ("after=\(next)&epoch=nonsense", "gone"),
        ("after=\(next)&epoch=00000000000000ff", "gone"),
      ] {
        #expect(try await anna.get("/api/v1/sync?\(query)").problem == problem, "\(query)")
      }
    }
  }
}
