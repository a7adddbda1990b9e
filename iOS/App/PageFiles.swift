import Foundation

#if canImport(UIKit)
  import WebKit
#else
  import AppleFakes
  import FoundationNetworking
#endif

/// Answers the page's requests from a folder, also for ranges of bytes: the map's archive is read in pieces.
public final class PageFiles: NSObject, WKURLSchemeHandler {
  private let folder: URL

  init(folder: URL) { self.folder = folder }

  public func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
    let request = urlSchemeTask.request
    let answer = answer(request.url, range: request.value(forHTTPHeaderField: "Range"))
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.fields)
    else { return urlSchemeTask.didFailWithError(URLError(.badURL)) }
    urlSchemeTask.didReceive(response)
    urlSchemeTask.didReceive(answer.body)
    urlSchemeTask.didFinish()
  }

  /// Does nothing, since every answer is given at once.
  public func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {}

  struct Answer {
    var status: Int
    var fields: [String: String] = [:]
    var body = Data()
  }

  func answer(_ url: URL?, range: String?) -> Answer {
    guard let file = url.flatMap(file) else { return Answer(status: 404) }
    guard let handle = try? FileHandle(forReadingFrom: file), let size = try? handle.seekToEnd() else {
      return Answer(status: 404)
    }
    defer { try? handle.close() }
    var answer = Answer(status: 200)
    answer.fields = [
      "Content-Type": Self.type(of: file.pathExtension), "Accept-Ranges": "bytes",
      "Cache-Control": "no-cache",
    ]
    var span: Range<UInt64> = 0..<size
    if let range {
      switch ByteRange(range, of: size) {
      case .whole: break
      case .part(let part):
        span = part
        answer.status = 206
        answer.fields["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
      case .outside:
        answer.status = 416
        answer.fields["Content-Range"] = "bytes */\(size)"
        span = 0..<0
      }
    }
    if !span.isEmpty {
      guard (try? handle.seek(toOffset: span.lowerBound)) != nil,
        let body = try? handle.read(upToCount: span.count), body.count == span.count
      else { return Answer(status: 500) }
      answer.body = body
    }
    answer.fields["Content-Length"] = "\(answer.body.count)"
    return answer
  }

  /// Returns the file for a URL; nil if it does not exist or is outside the folder.
  private func file(_ url: URL) -> URL? {
    let parts = url.path.split(separator: "/", omittingEmptySubsequences: true)
    guard !parts.contains(where: { $0 == ".." || $0.hasPrefix(".") || $0.contains("\0") }) else { return nil }
    let file =
      parts.isEmpty
      ? folder.appendingPathComponent("index.html")
      : parts.reduce(folder) { $0.appendingPathComponent(String($1)) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
    else {
      return nil
    }
    return file
  }

  /// Returns the content type. Scripts and WebAssembly run only with the right type.
  static func type(of ending: String) -> String {
    switch ending.lowercased() {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "txt": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}

/// The part of a file that a `Range` field requests.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-14.2: several ranges, other units and unreadable fields are
/// ignored, and the whole file is sent.
enum ByteRange: Equatable {
  case whole
  case part(Range<UInt64>)
  case outside

  init(_ field: String, of size: UInt64) {
    self = .whole
    let field = field.trimmingCharacters(in: .whitespaces)
    guard field.hasPrefix("bytes=") else { return }
    let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, !field.contains(",") else { return }
    if ends[0].isEmpty {
      guard let count = UInt64(ends[1]) else { return }
      self = count == 0 || size == 0 ? .outside : .part((size - min(count, size))..<size)
      return
    }
    guard let first = UInt64(ends[0]) else { return }
    var end = size
    if !ends[1].isEmpty {
      guard let last = UInt64(ends[1]), last >= first else { return }
      if last < size { end = last + 1 }
    }
    self = first < end ? .part(first..<end) : .outside
  }
}
