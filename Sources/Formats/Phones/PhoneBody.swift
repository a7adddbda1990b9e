import Foundation

/// Decodes the body of a request, JSON or a form. The first bytes tell which, not the `Content-Type` header.
enum PhoneBody {
  /// The most parameters that are read of a query or a form.
  static let maximumParameters = 20_000

  /// Returns the body as UTF-8, without byte order mark, surrounding blanks and the NUL that ends a C string.
  static func text(_ body: [UInt8]) -> ArraySlice<UInt8> {
    var encoding = TextEncoding()
    let whole = encoding.decode(body, isLast: true)[...].trimmed
    var text = whole
    while text.last == 0 { text = text.dropLast().trimmed }
    return text.isEmpty ? whole : text
  }

  static func looksLikeJSON(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
  }

  /// Parses JSON. Invalid JSON is parsed again after `JSONMending`, with a warning; nil, with an error, if
  /// that fails too.
  static func json(
    _ text: ArraySlice<UInt8>, _ builder: inout PhoneReportBuilder, number: Int? = nil
  ) -> JSONValue? {
    let bytes = Array(text)
    do throws(JSONError) { return try JSONValue.parse(bytes) } catch {
      if let mended = JSONMending.mend(bytes), let value = try? JSONValue.parse(mended) {
        builder.note(
          .warning, number, "the body is not JSON (\(error.message)); it is read after a repair")
        return value
      }
      builder.note(
        .error, number,
        "the body is not JSON (\(error.message), at byte \(error.offset)); it is kept as it is")
      return nil
    }
  }

  /// Decodes `name=value&name=value`.
  static func parameters(_ text: ArraySlice<UInt8>, _ builder: inout PhoneReportBuilder) -> [(
    String, JSONValue
  )] {
    var parameters: [(String, JSONValue)] = []
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
      if end > start {
        guard parameters.count < maximumParameters else {
          builder.note(
            .error, nil, "more than \(maximumParameters) parameters found; the others are not read")
          break
        }
        let pair = text[start..<end]
        let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        let value = equals < pair.endIndex ? pair[(equals + 1)...] : []
        parameters.append(
          (
            PercentCoding.decode(pair[..<equals], plusIsBlank: true),
            .string(PercentCoding.decode(value, plusIsBlank: true))
          ))
      }
      start = end < text.endIndex ? end + 1 : end
    }
    return parameters
  }

  /// Returns the members of query and body: one set, or one for each element if the body is an array. Members
  /// of the body take precedence over those of the query.
  /// - Returns: an empty array if the body is not understood; a message `.unreadable` is added then.
  static func fields(_ request: PhoneRequest, _ builder: inout PhoneReportBuilder) -> [PhoneFields] {
    let query = parameters(Array(request.query.utf8)[...], &builder)
    let text = text(request.body)
    guard !text.isEmpty else { return [PhoneFields(query)] }
    if text.starts(with: "--".utf8) { return [PhoneFields(query + multipart(text, &builder))] }
    guard looksLikeJSON(text) else {
      return [PhoneFields(query + parameters(text, &builder))]
    }
    guard let value = json(text, &builder) else {
      builder.add(.unreadable)
      return []
    }
    guard let list = value.list else { return [PhoneFields(query + (value.members ?? []))] }
    var all: [PhoneFields] = []
    for (index, element) in list.enumerated() {
      if let members = element.members {
        all.append(PhoneFields(query + members))
      } else {
        builder.note(.error, index + 1, "\(element.kind) found, an object expected; it is left out")
      }
    }
    return all
  }

  /// Reads a form whose parts are separated by boundaries (RFC 7578); uLogger sends a position with a picture
  /// this way.
  private static func multipart(_ text: ArraySlice<UInt8>, _ builder: inout PhoneReportBuilder)
    -> [(String, JSONValue)]
  {
    // At most 70 characters and two hyphens (RFC 2046, 5.1.1).
    let boundary = Array(text.prefix(72).prefix { $0 != 13 && $0 != 10 })
    var parameters: [(String, JSONValue)] = []
    for part in text.split(separator: boundary, maxSplits: maximumParameters) {
      guard let blank = part.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      let header = TextEncoding.string(part[..<blank.lowerBound])
      guard let name = header.firstMatch(of: #/[; ]name="([^"]*)"/#)?.1 else { continue }
      if header.contains("filename=") {
        builder.bodyHasMore = true
      } else {
        parameters.append((String(name), .string(TextEncoding.string(part[blank.upperBound...].trimmed))))
      }
    }
    if parameters.isEmpty {
      builder.note(
        .error, nil, "a body that begins with -- but is not a multipart form found; it is kept as it is")
      builder.add(.unreadable)
    }
    return parameters
  }
}
