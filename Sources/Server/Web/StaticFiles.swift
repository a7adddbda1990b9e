import AlarmService
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// Serves the files of a folder that a build has made.
///
/// The folder is read once, at the start, and only the files found then are served, so no name from a request
/// reaches the file system. Names that begin with a dot and symbolic links are left out. A `.br` or `.gz`
/// beside a file is its compressed form.
struct StaticFiles: Sendable {
  struct Entry: Sendable {
    let url: URL
    let size: Int
    /// The ETag, made from the content, so that two deployments of the same file agree.
    let tag: String
    let mediaType: String
    /// True if its name contains a hash of its content, so that it never changes.
    let isImmutable: Bool
    /// Its compressed forms, in the order of `Coding`.
    var compressed: [Compressed] = []

    struct Compressed: Sendable {
      let coding: Coding
      let url: URL
      let size: Int
    }
  }

  /// The coding of a compressed file, by its name in HTTP (RFC 9110, 8.4.1; RFC 7932), the smaller one first.
  enum Coding: String, CaseIterable, Sendable {
    case brotli = "br"
    case gzip

    /// The suffix that the compressed file's name adds to the plain one's.
    var ending: String {
      switch self {
      case .brotli: ".br"
      case .gzip: ".gz"
      }
    }

    /// The tag of a file in this coding: each form of the same content has a tag of its own (RFC 9110,
    /// 8.8.3.3).
    func tag(of plain: String) -> String {
      "\(plain.dropLast())\(ending.replacing(".", with: "-"))\""
    }
  }

  /// A folder that cannot be served.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The files by path below the folder, with `/` between.
  private(set) var entries: [String: Entry] = [:]
  static let maximumFiles = 20_000
  private static let chunkBytes = 256 << 10

  init(folder: URL) throws {
    let root = folder.resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw Refusal(description: "\(folder.path) found, a folder allowed")
    }
    try gather(root, under: "", depth: 0)
    for coding in Coding.allCases {
      for (path, entry) in entries where path.hasSuffix(coding.ending) {
        let plain = String(path.dropLast(coding.ending.count))
        guard entries[plain] != nil else { continue }
        entries[plain]?.compressed.append(.init(coding: coding, url: entry.url, size: entry.size))
        entries[path] = nil
      }
    }
  }

  private mutating func gather(_ folder: URL, under prefix: String, depth: Int) throws {
    guard depth <= 32 else { throw Refusal(description: "\(prefix): more than 32 folders deep") }
    let keys: Set<URLResourceKey> = [.isDirectoryKey, .isRegularFileKey, .isSymbolicLinkKey, .fileSizeKey]
    let found = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: Array(keys))
    for url in found {
      let name = url.lastPathComponent
      let values = try url.resourceValues(forKeys: keys)
      guard !name.hasPrefix("."), values.isSymbolicLink != true else { continue }
      if values.isDirectory == true {
        try gather(url, under: prefix + name + "/", depth: depth + 1)
      } else if values.isRegularFile == true {
        guard entries.count < Self.maximumFiles else {
          throw Refusal(description: "more than \(Self.maximumFiles) files found")
        }
        entries[prefix + name] = try Self.entry(url, name)
      }
    }
  }

  private static func entry(_ url: URL, _ name: String) throws -> Entry {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var hash = SHA256()
    var size = 0
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      hash.update(chunk)
      size += chunk.count
    }
    let digest = hash.finish().prefix(16)
    return Entry(
      url: url, size: size, tag: "\"\(Base64URL.encode(digest))\"", mediaType: mediaType(of: name),
      isImmutable: hasHash(name))
  }

  /// "engine.3f2a9c01.wasm": eight or more hexadecimal digits between two dots, or after a hyphen.
  static func hasHash(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return false }
    return parts.dropLast().contains { part in
      let tail = part.split(separator: "-").last ?? ""
      return tail.utf8.count >= 8 && tail.allSatisfy(\.isHexDigit) && tail.contains(where: \.isNumber)
    }
  }

  static func mediaType(of name: String) -> String {
    let name = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return switch name.split(separator: ".").last.map({ $0.lowercased() }) ?? "" {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json", "map": "application/json"
    case "geojson": "application/geo+json"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "mp3": "audio/mpeg"
    case "ogg", "oga", "opus": "audio/ogg"
    case "wav": "audio/wav"
    case "txt": "text/plain; charset=utf-8"
    case "pdf": "application/pdf"
    case "pmtiles": "application/vnd.pmtiles"
    default: "application/octet-stream"
    }
  }

  /// The file at an address; `/` at the end stands for its index.html.
  func entry(at address: String) -> Entry? {
    let path = address.removingPercentEncoding ?? address
    var name = path.drop { $0 == "/" }[...]
    if name.isEmpty || name.hasSuffix("/") { name += "index.html" }
    return entries[String(name)]
  }

  /// - Throws: a problem if there is no file.
  func response(to request: Request, path: String) throws(Problem) -> Response {
    guard let entry = entry(at: path) else { throw Problem(.notFound, "no such page") }
    return try Self.response(to: request, entry)
  }

  static func response(to request: Request, _ entry: Entry) throws(Problem) -> Response {
    var headers: HTTPFields = [.eTag: entry.tag, .contentType: entry.mediaType]
    headers[.cacheControl] = entry.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
    if !entry.compressed.isEmpty { headers[.vary] = "Accept-Encoding" }
    if let known = request.headers[.ifNoneMatch] {
      if EntityTag.list(known, contains: entry.tag) {
        return Response(status: .notModified, headers: headers)
      }
      for compressed in entry.compressed {
        let tag = compressed.coding.tag(of: entry.tag)
        guard EntityTag.list(known, contains: tag) else { continue }
        headers[.eTag] = tag
        return Response(status: .notModified, headers: headers)
      }
    }
    headers[.acceptRanges] = "bytes"
    if let text = request.headers[.range],
      request.headers[.ifRange].map({ $0 == entry.tag }) ?? true,
      let range = try Self.range(text, size: entry.size)
    {
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(entry.size)"
      return Response(
        status: .partialContent, headers: headers, body: Self.body(entry.url, range))
    }
    let accepted = request.headers[.acceptEncoding] ?? ""
    if let compressed = entry.compressed.first(where: { takes($0.coding, accepted) }) {
      headers[.contentEncoding] = compressed.coding.rawValue
      headers[.eTag] = compressed.coding.tag(of: entry.tag)
      headers[.acceptRanges] = nil
      return Response(
        status: .ok, headers: headers, body: Self.body(compressed.url, 0..<compressed.size))
    }
    return Response(status: .ok, headers: headers, body: Self.body(entry.url, 0..<entry.size))
  }

  /// One range of bytes; several ranges, and other units, are ignored, as RFC 9110, 14.2 allows.
  /// - Throws: a problem for a range that lies outside.
  static func range(_ text: String, size: Int) throws(Problem) -> Range<Int>? {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let bounds = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    func number(_ text: Substring) -> Int? {
      text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 18 ? Int(text) : nil
    }
    var outside = Problem(.rangeNotSatisfiable, "\(text.excerpt(60)) found, 0 to \(size - 1) allowed")
    outside.wholeBytes = size
    if bounds[0].isEmpty {
      guard let last = number(bounds[1]) else { return nil }
      guard last > 0, size > 0 else { throw outside }
      return max(0, size - last)..<size
    }
    guard let first = number(bounds[0]) else { return nil }
    guard first < size else { throw outside }
    if bounds[1].isEmpty { return first..<size }
    guard let last = number(bounds[1]), last >= first else { return nil }
    return first..<min(size, last + 1)
  }

  /// True if a coding is named with a weight other than 0. A `*` stands for gzip alone, which every client
  /// supports.
  static func takes(_ coding: Coding, _ header: String) -> Bool {
    header.lowercased().split(separator: ",").contains { entry in
      let parts = entry.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let name = parts.first else { return false }
      guard name == coding.rawValue || (name == "*" && coding == .gzip) else { return false }
      return !parts.dropFirst().contains {
        $0.hasPrefix("q=0") && $0.allSatisfy { !("1"..."9").contains($0) }
      }
    }
  }

  /// Reads the file in pieces, off the event loops.
  private static func body(_ url: URL, _ range: Range<Int>) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      try handle.seek(toOffset: UInt64(range.lowerBound))
      var left = range.count
      while left > 0 {
        let count = min(left, chunkBytes)
        let chunk = try await NIOThreadPool.singleton.runIfActive { try handle.read(upToCount: count) }
        // The file was truncated meanwhile: the connection ends before the promised length.
        guard let chunk, !chunk.isEmpty else { throw CancellationError() }
        left -= chunk.count
        try await writer.write(ByteBuffer(bytes: chunk))
      }
      try await writer.finish(nil)
    }
  }
}
