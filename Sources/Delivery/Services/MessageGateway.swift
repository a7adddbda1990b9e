import Formats
import NIOHTTP1

/// A gateway that sends text messages to a phone number, or calls it and speaks. Any gateway with an HTTP API
/// can be used.
///
/// The request is a JSON object or a form with these fields, unless `fields` names others:
///
///     to       +491701234567
///     text     Cliff edge. Anna is inside. At 2026-11-25T08:15:00Z. ...
///     kind     sms or voice
///     key      000000000000001f-0      the same for every attempt, also as Idempotency-Key
///
/// In the values of `fields`, `{to}`, `{text}`, `{kind}` and `{key}` are replaced by these. Any 2xx counts as
/// sent.
public struct MessageGateway: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case sms, voice
  }
  public enum Format: String, CaseIterable, Hashable, Sendable {
    case json, form
  }

  public let url: TargetURL
  /// `+`, country, number: digits only (E.164).
  public let to: String
  public let kind: Kind
  public let format: Format
  /// The header that authorizes us at the gateway: "Bearer ...", "Basic ..."; empty sends none.
  public let authorization: Secret
  /// Templates by name, ascending.
  private let fields: [Field]

  private struct Field: Hashable, Sendable {
    let name: String
    let template: Secret
  }

  private static let standard = [
    Field(name: "key", template: Secret("{key}")), Field(name: "kind", template: Secret("{kind}")),
    Field(name: "text", template: Secret("{text}")), Field(name: "to", template: Secret("{to}")),
  ]
  private static let mostFields = 20

  /// Reads `{"url":"https://...","to":"+49..."}`; `kind`, `format`, `authorization` and `fields` as above.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    url = try fields.requiredURL("url")
    let given = try fields.requiredText("to", limit: 40)
    to = String(given.filter { !" -/().".contains($0) })
    guard to.hasPrefix("+"), (8...16).contains(to.utf8.count),
      to.utf8.dropFirst().allSatisfy({ (48...57).contains($0) })
    else {
      throw ConfigurationError(
        field: "to", given: given.excerpt(40), allowed: "a phone number with its country, as +49 170 1234567")
    }
    kind = try fields.choice("kind", default: .sms)
    format = try fields.choice("format", default: .json)
    authorization = Secret(try fields.text("authorization", limit: 1024) ?? "")
    guard let own = try fields.optionalObject("fields") else {
      self.fields = Self.standard
      return
    }
    guard (1...Self.mostFields).contains(own.names.count) else {
      throw ConfigurationError(
        field: "fields", given: "\(own.names.count) members", allowed: "1 to \(Self.mostFields)")
    }
    var templates: [Field] = []
    for name in own.names {
      templates.append(Field(name: name, template: Secret(try own.text(name, limit: 1024) ?? "")))
    }
    guard templates.contains(where: { $0.template.revealed.contains("{text}") }) else {
      throw ConfigurationError(
        field: "fields", given: "no {text}", allowed: "members of which one has {text} in its value")
    }
    self.fields = templates
  }

  /// The number's last digits only, since others may see the screen.
  public var description: String {
    "\(kind == .sms ? "text message" : "call") to …\(to.suffix(3)) by \(url.host)"
  }

  /// The length of a text message of four parts, in bytes. A voice speaks it in about a minute.
  private static let maximumText = 600

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    let words = NoticeWords(notice)
    let lines = ([words.title + "."] + words.body.split(separator: "\n").map(String.init))
    let text = lines.joined(separator: " ").cut(Self.maximumText)
    let values = ["to": to, "text": text, "kind": kind.rawValue, "key": notice.idempotencyKey]
    let filled = fields.map { ($0.name, Self.fill($0.template.revealed, values)) }
    var headers = [("Idempotency-Key", notice.idempotencyKey)]
    if !authorization.isEmpty { headers.append(("Authorization", authorization.revealed)) }
    return switch format {
    case .json: ServiceRequest(.POST, url.text, headers: headers, json: filled.map { ($0.0, .string($0.1)) })
    case .form: ServiceRequest(.POST, url.text, headers: headers, form: filled)
    }
  }

  /// Replaces known names in braces by their values, in one pass: the values themselves are not searched.
  static func fill(_ template: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      if let close = rest.firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      {
        result += value
        rest = rest[rest.index(after: close)...]
      } else {
        result.append("{")
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}
