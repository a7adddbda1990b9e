import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Static files")
struct StaticFilesTests {
  /// A folder as a build makes it, with other files added.
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("static-\(UUID())")
    let files = FileManager.default
    try files.createDirectory(at: folder.appendingPathComponent("js"), withIntermediateDirectories: true)
    try files.createDirectory(at: folder.appendingPathComponent(".git"), withIntermediateDirectories: true)
    for (name, text) in [
      ("index.html", "<p>home"), ("js/app.0123456789ab.js", "let a"), ("engine.wasm", "0123456789"),
      ("engine.wasm.gz", "packed"), ("shell.js", "let b = 1"), ("shell.js.gz", "packed"),
      ("shell.js.br", "packed best"), (".secret", "no"), (".git/config", "no"),
    ] { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    try files.createSymbolicLink(
      at: folder.appendingPathComponent("passwd"), withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
    return folder
  }

  private func run(_ body: @escaping @Sendable (Visitor) async throws -> Void) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var settings = ServerSettings()
    settings.pageFolder = folder
    try await TestServer(settings).run(.router, body)
  }

  @Test func `files have their types, tags of their content and lifetimes of their names`() async throws {
    try await run { stranger in
      let home = try await stranger.get("/")
      #expect(home.text == "<p>home" && home.headers[.contentType] == "text/html; charset=utf-8")
      #expect(home.headers[.cacheControl] == "no-cache")
      #expect(try await stranger.get("/index.html").tag == home.tag)
      #expect(try await stranger.with(.ifNoneMatch, "W/\(home.tag), \"x\"").get("/").status == .notModified)
      let script = try await stranger.get("/js/app.0123456789ab.js")
      #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(script.headers[.cacheControl] == "public, max-age=31536000, immutable")
      let engine = try await stranger.get("/engine.wasm")
      #expect(engine.headers[.contentType] == "application/wasm" && engine.text == "0123456789")
      let packed = try await stranger.with(.acceptEncoding, "br, gzip;q=0.5").get("/engine.wasm")
      #expect(packed.headers[.contentEncoding] == "gzip" && packed.text == "packed")
      #expect(packed.headers[.vary] == "Accept-Encoding" && packed.tag != engine.tag)
      let known = try await stranger.with(.ifNoneMatch, packed.tag).get("/engine.wasm")
      #expect(known.status == .notModified && known.tag == packed.tag)
      let plain = try await stranger.with(.acceptEncoding, "gzip;q=0").get("/engine.wasm")
      #expect(plain.headers[.contentEncoding] == nil)
    }
  }

  @Test func `an address without a file is not found, whatever the method`() async throws {
    try await run { stranger in
      let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "NONSENSE"]
        .compactMap { HTTPRequest.Method($0) }
      for path in [
        "/api", "/api/", "/api/v1", "/api/v1/nothing", "/api/v2/zones",
        "/api/v1/zones/00000000deadbeef/nothing",
        "/streets/x", "/healthz/x", "/api/v1/../../healthz", "/nothing", "/js", "/js/nothing", "/.secret",
        "/engine.wasm/x", "/%2e%2e/healthz",
      ] {
        for method in methods {
          let answer = try await stranger.send(method, path)
          #expect(answer.status == .notFound, "\(method) \(path)")
          #expect(answer.headers[.allow] == nil, "\(method) \(path)")
        }
      }
      for (path, allowed) in [
        ("/", "GET, HEAD, POST"), ("/engine.wasm", "GET, HEAD"), ("/js/app%2e0123456789ab.js", "GET, HEAD"),
        ("/healthz", "GET, HEAD"), ("/api/v1/zones", "GET, HEAD, POST"),
      ] {
        for method in methods where !allowed.split(separator: ", ").contains(Substring(method.rawValue)) {
          let answer = try await stranger.send(method, path)
          #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
          #expect(answer.headers[.allow] == allowed, "\(method) \(path)")
        }
      }
    }
  }

  @Test func `of two compressed forms the smaller one is served to those who take it`() async throws {
    try await run { stranger in
      let plain = try await stranger.get("/shell.js")
      #expect(plain.headers[.contentEncoding] == nil && plain.text == "let b = 1")
      for (accepted, coding, text) in [
        ("gzip, deflate, br, zstd", "br", "packed best"), ("BR", "br", "packed best"),
        ("br;q=0.1, gzip;q=1", "br", "packed best"), ("gzip", "gzip", "packed"),
        ("br;q=0, gzip", "gzip", "packed"),
        ("br;q=0.000, *", "gzip", "packed"), ("*", "gzip", "packed"), ("brr", nil, "let b = 1"),
        ("br;q=0", nil, "let b = 1"), ("", nil, "let b = 1"),
      ] as [(String, String?, String)] {
        let answer = try await stranger.with(.acceptEncoding, accepted).get("/shell.js")
        #expect(answer.headers[.contentEncoding] == coding && answer.text == text, "\(accepted)")
        #expect(answer.headers[.vary] == "Accept-Encoding", "\(accepted)")
        #expect((answer.tag == plain.tag) == (coding == nil), "\(accepted)")
        #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8", "\(accepted)")
        let known = try await stranger.with(.ifNoneMatch, answer.tag).get("/shell.js")
        #expect(known.status == .notModified && known.tag == answer.tag, "\(accepted)")
      }
      let part = try await stranger.with(.range, "bytes=4-4").get("/shell.js")
      #expect(part.text == "b" && part.headers[.contentEncoding] == nil)
      #expect(try await stranger.get("/shell.js.br").status == .notFound)
    }
  }

  @Test func `a look at the page takes as many requests as it needs`() async throws {
    try await run { stranger in
      for _ in 0..<400 {
        let home = try await stranger.get("/")
        #expect(home.status == .ok)
      }
      let style = try await stranger.get("/start.css")
      #expect(style.headers[.contentType] == "text/css; charset=utf-8")
    }
  }

  /// Queries as the page uses for its file-reading thread, and as chats add to links that are shared.
  @Test func `what an address asks besides the file changes nothing`() async throws {
    try await run { stranger in
      let plain = try await stranger.get("/shell.js")
      for query in ["?language=de", "?fbclid=1&utm_source=chat", "?", "?a=%00", "?%ff"] {
        let marked = try await stranger.get("/shell.js\(query)")
        #expect(marked.status == .ok && marked.bytes == plain.bytes, "\(query)")
        #expect(try await stranger.get("/\(query)").status == .ok, "\(query)")
      }
    }
  }

  @Test func `a range is served, one that lies outside is refused`() async throws {
    try await run { stranger in
      func range(_ text: String) async throws -> Visitor.Answer {
        try await stranger.with(.range, text).get("/engine.wasm")
      }
      let middle = try await range("bytes=2-4")
      #expect(middle.status == .partialContent && middle.text == "234")
      #expect(middle.headers[.contentRange] == "bytes 2-4/10")
      #expect(try await range("bytes=7-").text == "789")
      #expect(try await range("bytes=-2").text == "89")
      #expect(try await range("bytes=5-500").text == "56789")
      for outside in ["bytes=10-", "bytes=99-100", "bytes=-0"] {
        let answer = try await range(outside)
        #expect(answer.status == .rangeNotSatisfiable, "\(outside)")
        #expect(answer.headers[.contentRange] == "bytes */10", "\(outside)")
      }
      for passedOver in ["bytes=1-2,4-5", "lines=1-2", "bytes=4-2", "bytes=a-b"] {
        #expect(try await range(passedOver).text == "0123456789", "\(passedOver)")
      }
    }
  }

  @Test func `nothing hidden, linked or outside is served`() async throws {
    try await run { stranger in
      for path in [
        "/.secret", "/.git/config", "/passwd", "/../etc/passwd", "/%2e%2e/etc/passwd", "/js/%2e%2e/.secret",
        "/js", "/js/", "/engine.wasm.gz", "/nothing", "/engine.wasm%00", "//etc/passwd", "/js/..%2f.secret",
        "/js/%5c..%5c.secret", "/%ff", "/%", "/js//app.0123456789ab.js", "/./.secret", "/\u{301}",
      ] {
        let answer = try await stranger.get(path)
        #expect(answer.status == .notFound, "\(path)")
      }
    }
  }

  @Test func `the page may run its engine and its map, and load from nowhere else`() async throws {
    try await run { stranger in
      let policy = try #require(try await stranger.get("/").headers[.contentSecurityPolicy])
      // The same policy as in Tests/Web/support/PageServer.mjs, so that code that runs there runs here.
      let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Web/support/PageServer.mjs")
      let script = try String(contentsOf: driver, encoding: .utf8)
      let from = try #require(script.range(of: "export const policy ="))
      let literal = try #require(script[from.upperBound...].split(separator: ";\n", maxSplits: 1).first)
      let said = literal.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }.joined()
      #expect(said == policy)
    }
  }

  @Test func `a folder that is none is refused`() {
    #expect(throws: StaticFiles.Refusal.self) {
      try StaticFiles(folder: URL(fileURLWithPath: "/nonexistent/folder"))
    }
  }
}
