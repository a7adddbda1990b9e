import AlarmEngine
import AlarmService
import Delivery
import Formats
import Store

/// The values that a JSON value may have. The same schema validates requests and is written into the OpenAPI
/// document, so that both agree.
indirect enum Schema: Sendable {
  case text(TextRule)
  case words([String])
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  case boolean
  case list(Schema, count: ClosedRange<Int>)
  /// Members not named are refused.
  case object([Member])
  /// An object whose member `tag` determines its further members.
  case variants(tag: String, [Variant])
  case optional(Schema)
  /// One of `NamedSchema.all`.
  case named(NamedSchema.Name)
  /// Any JSON object: foreign formats with a specification of their own.
  case anyObject

  struct Member: Sendable {
    let name: String
    let schema: Schema
    var required = true
    let meaning: String
  }

  struct Variant: Sendable {
    let word: String
    let members: [Member]
  }

  /// The rules for a string. No string of ours contains U+0000.
  struct TextRule: Sendable {
    enum Form: Sendable {
      case plain
      /// Sixteen hexadecimal digits, small letters.
      case id
      /// RFC 3339 with zone.
      case time
      /// 00:00 to 23:59.
      case clock
      /// URL-safe base 64 without padding.
      case base64URL
    }
    var characters: ClosedRange<Int>
    var form = Form.plain
  }

  /// - Parameter allowed: characters, counted as Unicode scalars.
  static func text(_ allowed: ClosedRange<Int>) -> Self { .text(TextRule(characters: allowed)) }
  static let id = Schema.text(TextRule(characters: 16...16, form: .id))
  static let time = Schema.text(TextRule(characters: 20...40, form: .time))
  static let clock = Schema.text(TextRule(characters: 5...5, form: .clock))
  static func base64URL(_ allowed: ClosedRange<Int>) -> Self {
    .text(TextRule(characters: allowed, form: .base64URL))
  }
  /// An answer that is not paged.
  static func items(_ item: Schema, upTo most: Int) -> Self {
    .object([.needed("items", .list(item, upTo: most), "")])
  }
  /// The range that the table of ranges allows.
  static func number(_ field: RangedField) -> Self {
    let allowed = field.allowed
    guard field.unit == .wholeNumber else { return .number(allowed) }
    return .integer(Int64(allowed.lowerBound)...Int64(allowed.upperBound))
  }
  static func list(_ element: Schema, upTo count: Int) -> Self { .list(element, count: 0...count) }
}

extension Schema.Member {
  static func needed(_ name: String, _ schema: Schema, _ meaning: String) -> Self {
    Self(name: name, schema: schema, meaning: meaning)
  }
  static func allowed(_ name: String, _ schema: Schema, _ meaning: String) -> Self {
    Self(name: name, schema: schema, required: false, meaning: meaning)
  }
}

extension Schema.Member {
  /// A setting, which may be left out.
  init(_ setting: SettingField) {
    let schema: Schema =
      switch setting.form {
      case .number(let field): .number(field)
      case .numberIn(let allowed): .number(allowed)
      case .numbers(let allowed, let most): .list(.number(allowed), upTo: most)
      }
    self = .allowed(setting.name, schema, setting.meaning)
  }
}

/// An error in a request.
struct Finding: Equatable, Sendable {
  /// JSON pointer (RFC 6901) into the body, or the name of a parameter.
  let place: String
  /// "91 found, -90 to 90 allowed".
  let message: String
}

extension Schema {
  /// The most findings reported for one value.
  static let maximumFindings = 20

  /// The errors in a value; empty for a valid one.
  func findings(in value: JSONValue, at place: String = "") -> [Finding] {
    var findings: [Finding] = []
    check(value, place, &findings)
    return findings
  }

  /// The beginning of the given value, without characters that do not belong in an answer. A text that is empty
  /// or looks like a number has quotes.
  private static func shown(_ value: JSONValue?) -> String {
    let text = value?.excerpt.excerpt(60) ?? "nothing"
    guard value?.string != nil, text.isEmpty || Double(text) != nil else { return text }
    return "\"\(text)\""
  }

  private func check(_ value: JSONValue, _ place: String, _ findings: inout [Finding]) {
    guard findings.count < Self.maximumFindings else { return }
    func refuse(_ allowed: String) {
      findings.append(Finding(place: place, message: "\(Self.shown(value)) found, \(allowed) allowed"))
    }
    switch self {
    case .optional(let schema):
      if case .null = value { return }
      schema.check(value, place, &findings)
    case .named(let name): name.schema.check(value, place, &findings)
    case .boolean: if case .bool = value { return } else { refuse("true or false") }
    case .anyObject: if !value.isObject { refuse("an object") }
    case .integer(let allowed):
      guard let whole = value.whole, allowed.contains(whole) else {
        return refuse("a whole number from \(allowed.lowerBound) to \(allowed.upperBound)")
      }
    case .number(let allowed):
      guard let number = value.double, allowed.contains(number) else {
        return refuse("a number from \(allowed.lowerBound) to \(allowed.upperBound)")
      }
    case .words(let words):
      guard let word = value.string, words.contains(word) else {
        return refuse(words.joined(separator: ", "))
      }
    case .text(let rule): if let allowed = rule.refusal(of: value) { refuse(allowed) }
    case .list(let schema, let count):
      guard let values = value.list else { return refuse("an array") }
      guard count.contains(values.count) else {
        return refuse("\(count.lowerBound) to \(count.upperBound) elements")
      }
      for (index, element) in values.enumerated() { schema.check(element, "\(place)/\(index)", &findings) }
    case .object(let members): Self.check(value, members, place, &findings)
    case .variants(let tag, let variants):
      guard let members = value.members else { return refuse("an object") }
      let word = members.last { $0.0 == tag }?.1
      guard let variant = variants.first(where: { $0.word == word?.string }) else {
        let words = variants.map(\.word).joined(separator: ", ")
        findings.append(
          Finding(place: "\(place)/\(tag)", message: "\(Self.shown(word)) found, \(words) allowed"))
        return
      }
      let member = Member.needed(tag, .words([variant.word]), "")
      Self.check(value, [member] + variant.members, place, &findings)
    }
  }

  private static func check(
    _ value: JSONValue, _ members: [Member], _ place: String, _ findings: inout [Finding]
  ) {
    guard let given = value.members else {
      findings.append(Finding(place: place, message: "\(shown(value)) found, an object allowed"))
      return
    }
    var seen: Set<String> = []
    for (name, value) in given {
      let place = "\(place)/\(name.excerpt(60).pointerEscaped)"
      guard findings.count < maximumFindings else { return }
      guard seen.insert(name).inserted else {
        findings.append(Finding(place: place, message: "found twice, once allowed"))
        continue
      }
      guard let member = members.first(where: { $0.name == name }) else {
        let allowed = members.map(\.name).joined(separator: ", ")
        findings.append(Finding(place: place, message: "unknown member found; allowed: \(allowed)"))
        continue
      }
      member.schema.check(value, place, &findings)
    }
    for member in members where member.required && !seen.contains(member.name) {
      findings.append(Finding(place: "\(place)/\(member.name)", message: "nothing found, but it is needed"))
    }
  }
}

extension Schema.TextRule {
  /// A description of what is allowed; nil for a valid value.
  fileprivate func refusal(of value: JSONValue) -> String? {
    guard let text = value.string else { return "a string" }
    let count = text.unicodeScalars.count
    guard characters.contains(count) else {
      return "\(characters.lowerBound) to \(characters.upperBound) characters"
    }
    switch form {
    case .plain: return text.utf8.contains(0) ? "no character U+0000" : nil
    case .id: return parsedID(text) == nil ? "sixteen hexadecimal digits in small letters" : nil
    case .time:
      return RFC3339.instant(from: text) == nil ? "a time such as 2026-03-29T17:52:03Z" : nil
    case .clock: return ClockTime.minute(of: text) == nil ? "a time of day from 00:00 to 23:59" : nil
    case .base64URL:
      return Base64URL.decode(text) == nil ? "URL-safe base 64 without padding" : nil
    }
  }
}

extension String {
  var pointerEscaped: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension JSONValue {
  var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
  var isNull: Bool { if case .null = self { true } else { false } }
  /// The member of an object, if it is present and not null.
  func given(_ key: String) -> JSONValue? { self[key].flatMap { $0.isNull ? nil : $0 } }
}
