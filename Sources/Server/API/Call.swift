import AlarmEngine
import AlarmService
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Store

/// A request whose parameters and body have been validated against its route.
struct Call: Sendable {
  let request: Request
  let context: AppContext
  let origin: Origin
  let parts: ServerParts
  let now: Instant
  /// The given parameters, by the names that the route declares.
  let query: [String: JSONValue]
  /// The body of a route that takes JSON.
  let json: JSONValue
  /// The body of a route that takes bytes.
  let bytes: [UInt8]
  /// For the audit log.
  let subject = AuditLog.Subject()

  var logger: Logger { context.logger }

  /// The id in the address.
  /// - Throws: "not found" for a text that is no id, since nothing has that name.
  func id(_ name: String) throws(Problem) -> UInt64 {
    guard let id = context.parameters.get(name).flatMap({ parsedID($0) }) else { throw .notFound }
    return id
  }

  func text(_ name: String) throws(Problem) -> String {
    guard let text = context.parameters.get(name) else { throw .notFound }
    return text
  }

  /// A part of the address that is one of a few words.
  func word<Word: RawRepresentable<String>>(_ name: String, _: Word.Type) throws(Problem) -> Word {
    guard let word = context.parameters.get(name).flatMap(Word.init(rawValue:)) else { throw .notFound }
    return word
  }
}

extension Response {
  /// All items, in the form of `Schema.items`.
  static func items(_ items: [JSONValue]) -> Response { .json(.object([("items", .array(items))])) }

  static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    var headers = headers
    headers[.contentType] = "application/json"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static var nothing: Response { Response(status: .noContent) }

  static func bytes(_ bytes: [UInt8], type: String, fileName: String? = nil) -> Response {
    var headers: HTTPFields = [.contentType: type]
    if let fileName { headers[.contentDisposition] = "attachment; filename=\"\(fileName)\"" }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// An HTML page.
  static func page(_ markup: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: markup)))
  }
}

extension Instant {
  var json: JSONValue { .string(RFC3339.string(from: self)) }
}
