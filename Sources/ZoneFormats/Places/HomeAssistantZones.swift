import AlarmEngine
import Geometry
import PAD

/// Reads zones from the configuration of Home Assistant: the list under `zone:`, or a file that is such a
/// list.
///
/// Each has `latitude` and `longitude`, and optionally `name` and a `radius` in metres, 100 if none is
/// stated. Other keys are properties (`ZoneProperties`). Only the part of YAML that such lists use is read:
/// keys with a value in their line, plain or in quotes. Any other value (`!secret`, an anchor, a block) is
/// reported. Source: https://www.home-assistant.io/integrations/zone/.
package final class HomeAssistantZones: ZoneFormatReader {
  /// The longest line in bytes; the rest of a longer one is passed over.
  private static let longestLine = 1 << 16
  private static let defaultRadius = 100.0

  package var builder: ZoneFileBuilder
  /// The file, for messages.
  private let name: String
  private var encoding = TextEncoding()
  /// The bytes of the current line so far.
  private var line: [UInt8] = []
  private var lineNumber = 1
  private var lastWasCR = false
  /// True if the current line is inside the list of zones.
  private var isInSection = false
  private var item: Item?
  private var sawSection = false

  private struct Item {
    let line: Int
    /// The number of blanks before its keys.
    let indent: Int
    var members: [(String, JSONValue)] = []
    var isBroken = false
  }

  /// - Parameter name: the file, for messages.
  package init(_ builder: ZoneFileBuilder, name: String) {
    self.builder = builder
    self.name = name
  }

  package func feed(_ chunk: [UInt8]) { split(encoding.decode(chunk)) }

  package func finish() throws(ReadError) {
    split(encoding.decode([], isLast: true))
    endLine()
    endItem()
    if !sawSection { throw ReadError("\(name): no list of zones found, \"zone:\" expected") }
    if builder.isEmpty { builder.report(.error, "no zone found below \"zone:\"") }
  }

  private func split(_ text: [UInt8]) {
    for byte in text {
      if byte == 0x0a || byte == 0x0d {
        if byte == 0x0d || !lastWasCR { endLine() }
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
      lastWasCR = byte == 0x0d
    }
  }

  private func endLine() {
    // Windows-1252 becomes UTF-8.
    take(Array(TextEncoding.string(line[...]).utf8), lineNumber)
    line.removeAll(keepingCapacity: true)
    lineNumber += 1
  }

  /// True if lines of ASCII have the keys of such a list.
  static func isList(_ lines: [ArraySlice<UInt8>]) -> Bool {
    func has(_ key: String) -> Bool {
      lines.contains { line in
        line.drop { $0 <= 32 || $0 == UInt8(ascii: "-") }.starts(with: key.utf8)
      }
    }
    let begins = lines.contains { line in
      ["zone:", "zone ", "- "].contains { line.starts(with: $0.utf8) }
    }
    return begins && has("latitude:") && has("longitude:")
  }

  private func take(_ line: [UInt8], _ number: Int) {
    let content = Self.withoutComment(line)
    guard let first = content.firstIndex(where: { $0 != 32 }) else { return }
    var indent = first
    var rest = content[first...].trimmed
    guard !rest.isEmpty, rest != Array("---".utf8)[...] else { return }
    guard !content[..<first].contains(9), rest.startIndex == first else {
      if isInSection {
        builder.report(.error, line: number, "a tab found, blanks allowed; the line is passed over")
      }
      return
    }
    let isEntry = rest.first == UInt8(ascii: "-") && (rest.count == 1 || rest.dropFirst().first == 32)
    if indent == 0, !isEntry || !isInSection {
      endItem()
      isInSection = false
      if isEntry, !sawSection {
        (isInSection, sawSection) = (true, true)
      } else if isEntry {
        return
      } else {
        let (key, value) = Self.pair(rest) ?? ("", "")
        guard key == "zone" || key.hasPrefix("zone ") else { return }
        sawSection = true
        isInSection = true
        if !value.isEmpty {
          builder.report(
            .error, line: number,
            "zone \"\(value.prefix(60))\" found, a list below it allowed; it is left out")
          isInSection = false
        }
        return
      }
    }
    guard isInSection else { return }
    if isEntry, item.map({ indent < $0.indent }) ?? true {
      endItem()
      let inner = rest.dropFirst().drop { $0 == 32 }
      indent += inner.startIndex - rest.startIndex
      rest = inner
      item = Item(line: number, indent: inner.isEmpty ? first + 2 : indent)
      if inner.isEmpty { return }
    } else if item == nil {
      // A single zone needs no list.
      item = Item(line: number, indent: indent)
    }
    guard let current = item, indent <= current.indent else { return }  // Of a value that lies below its key.
    guard indent == current.indent, let (key, written) = Self.pair(rest) else {
      fail(
        number, "\"\(String(decoding: rest.prefix(60), as: UTF8.self))\" found, a key and its value allowed")
      return
    }
    guard let value = Self.scalar(written) else {
      fail(number, "\(key.prefix(60)) \"\(written.prefix(60))\" found, a plain value allowed")
      return
    }
    item?.members.append((key, .string(value)))
  }

  private func fail(_ line: Int, _ message: String) {
    item?.isBroken = true
    builder.report(.error, line: line, "\(message); the zone is left out")
  }

  private func endItem() {
    guard var ended = item else { return }
    item = nil
    guard !ended.isBroken else { return }
    let members = ended.members
    /// The last value of a key counts.
    func given(_ key: String) -> String? { members.last { $0.0 == key }?.1.string }
    func degrees(_ key: String) -> Double? {
      given(key).flatMap { DecimalNumber.parse(Array($0.utf8)) }
    }
    ended.members.removeAll { ["latitude", "longitude"].contains($0.0) }
    if given("radius")?.isEmpty != false {
      ended.members.append(("radius_m", .number(Self.defaultRadius)))
    }
    let properties = ZoneProperties(ended.members)
    guard let latitude = degrees("latitude"), let longitude = degrees("longitude"),
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      let found = ["latitude", "longitude"].map { key in
        "\(key) " + (given(key).map { "\"\($0.prefix(30))\"" } ?? "missing")
      }
      builder.report(
        .error, .noGeometry, line: ended.line, zone: properties.name,
        "\(found.joined(separator: ", ")) found, degrees within ±90 and ±360 allowed; "
          + "it is left out")
      return
    }
    builder.add(properties, outline: .locations([place]), line: ended.line)
  }

  /// Removes a comment, which begins the line or follows a blank, outside quotes.
  private static func withoutComment(_ line: [UInt8]) -> [UInt8] {
    var quote: UInt8?
    for (index, byte) in line.enumerated() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), index == 0 || line[index - 1] <= 32 {
        quote = byte
      } else if byte == UInt8(ascii: "#"), index == 0 || line[index - 1] <= 32 {
        return Array(line[..<index])
      }
    }
    return line
  }

  private static func pair(_ bytes: ArraySlice<UInt8>) -> (key: String, value: String)? {
    guard
      let colon = bytes.indices.first(where: { index in
        bytes[index] == UInt8(ascii: ":") && (index + 1 == bytes.endIndex || bytes[index + 1] == 32)
      }), colon > bytes.startIndex
    else { return nil }
    func text(_ slice: ArraySlice<UInt8>) -> String { TextEncoding.string(slice.trimmed) }
    return (text(bytes[..<colon]), text(bytes[(colon + 1)...]))
  }

  /// - Returns: nil for anything but a plain or quoted value.
  private static func scalar(_ text: String) -> String? {
    guard let first = text.first else { return "" }
    if first == "\"" || first == "'" {
      guard text.count >= 2, text.last == first else { return nil }
      let inner = text.dropFirst().dropLast()
      if first == "'" {
        return undoubled(inner)
      }
      return inner.contains("\\") || inner.contains("\"") ? nil : String(inner)
    }
    return "!&*|>{[%@`".contains(first) ? nil : (["~", "null"].contains(text) ? "" : text)
  }

  /// A text in which each quote is doubled, with single ones; nil if one is not doubled.
  private static func undoubled(_ text: Substring) -> String? {
    var plain: [UInt8] = []
    var isHalf = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") {
        if isHalf { plain.append(byte) }
        isHalf.toggle()
      } else {
        guard !isHalf else { return nil }
        plain.append(byte)
      }
    }
    return isHalf ? nil : String(decoding: plain, as: UTF8.self)
  }
}
