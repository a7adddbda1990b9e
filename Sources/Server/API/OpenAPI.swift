import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes

/// The OpenAPI 3.1 document, made from the table of routes.
enum OpenAPI {
  static func document(_ table: [Route], baseURL: String) -> JSONValue {
    var paths: [(String, JSONValue)] = []
    let documented = table.filter(\.isDocumented)
    var order: [String] = []
    for route in documented where !order.contains(route.path) { order.append(route.path) }
    for path in order {
      let operations = documented.filter { $0.path == path }.map { route in
        (route.method.rawValue.lowercased(), operation(route))
      }
      paths.append((path, .object(operations)))
    }
    return .object([
      ("openapi", .string("3.1.0")),
      (
        "info",
        .object([
          ("title", .string("Proximity Alarm")),
          ("version", .string(ProductVersion.text.string)),
          (
            "description",
            .string(
              "An alarm clock triggered by places. Lengths are in metres, angles in degrees on WGS 84, times in RFC 3339, "
                + "ids sixteen hexadecimal digits. Errors are problem documents (RFC 9457). "
                + "The page inside the phone apps (\(AppOrigins.all.sorted().joined(separator: ", "))) may read responses to "
                + "requests with Authorization from its own origin (CORS, without cookies), and to those that sign it in: "
                + "\(AppOrigins.withoutToken.sorted().joined(separator: ", "))."
            )
          ),
        ])
      ),
      ("servers", .array([.object([("url", .string(baseURL))])])), ("paths", .object(paths)),
      (
        "components",
        .object([
          (
            "schemas",
            .object(NamedSchema.Name.allCases.map { ($0.rawValue, $0.schema.openAPI) })
          ),
          (
            "securitySchemes",
            .object([
              (
                "session",
                .object([
                  ("type", .string("apiKey")), ("in", .string("cookie")),
                  ("name", .string(Sessions.cookieName)),
                ])
              ),
              (
                "csrf",
                .object([
                  ("type", .string("apiKey")), ("in", .string("header")), ("name", .string("X-CSRF-Token")),
                ])
              ),
            ])
          ),
        ])
      ),
    ])
  }

  private static func operation(_ route: Route) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("operationId", .string(route.name)), ("summary", .string(route.summary)),
    ]
    let parameters =
      route.pathParameters.map { parameter($0, "path", pathSchema($0), "", required: true) }
      + route.query.map { parameter($0.name, "query", $0.schema, $0.meaning, required: $0.required) }
      + route.headers.map { parameter($0.name, "header", $0.schema, $0.meaning, required: $0.required) }
      + (route.isIdempotentByKey
        ? [
          parameter(
            "Idempotency-Key", "header", Schema.text(1...100),
            "A request repeated with the same key creates nothing new.", required: false)
        ] : [])
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    switch route.body {
    case .none: break
    case .json(let schema):
      members.append(("requestBody", content(["application/json"], schema.openAPI, nil, isRequest: true)))
    case .bytes(let types, _):
      members.append(("requestBody", content(types, .object([]), nil, isRequest: true)))
    }
    var responses = route.answers.map { answer in (String(answer.status.code), response(answer)) }
    responses.append(
      (
        "default",
        .object([
          ("description", .string("A problem document.")),
          (
            "content",
            .object([("application/problem+json", .object([("schema", Schema.named(.problem).openAPI)]))])
          ),
        ])
      ))
    members.append(("responses", .object(responses)))
    switch route.handler {
    case .anyone: members.append(("security", .array([])))
    case .account, .phone:
      let needs: [(String, JSONValue)] =
        route.isSafe ? [("session", .array([]))] : [("session", .array([])), ("csrf", .array([]))]
      members.append(("security", .array([.object(needs)])))
    }
    return .object(members)
  }

  /// The schema of a part of an address: an id, with a few exceptions.
  private static func pathSchema(_ name: String) -> Schema {
    switch name {
    case "sound": .text(1...100)
    case "format": .words(["pad", "geojson", "kml", "owntracks"])
    case "kind": .text(1...40)
    case "action": .words(["close", "sleep", "acknowledge", "today"])
    case "app": .words(OnboardingRoutes.App.allCases.map(\.rawValue))
    default: .id
    }
  }

  private static func parameter(
    _ name: String, _ place: String, _ schema: Schema, _ meaning: String, required: Bool
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("in", .string(place)), ("required", .bool(required)),
      ("schema", schema.openAPI),
    ]
    if !meaning.isEmpty { members.append(("description", .string(meaning))) }
    return .object(members)
  }

  private static func content(
    _ types: [String], _ schema: JSONValue, _ example: JSONValue?, isRequest: Bool
  ) -> JSONValue {
    let media = types.map { type -> (String, JSONValue) in
      var members: [(String, JSONValue)] = [("schema", schema)]
      if let example { members.append(("example", example)) }
      return (type, .object(members))
    }
    var members: [(String, JSONValue)] = [("content", .object(media))]
    if isRequest { members.append(("required", .bool(true))) }
    return .object(members)
  }

  private static func response(_ answer: Route.Answer) -> JSONValue {
    var members: [(String, JSONValue)] = [("description", .string(answer.meaning))]
    if answer.hasETag {
      members.append(
        (
          "headers",
          .object([
            (
              "ETag",
              .object([
                ("schema", .object([("type", .string("string"))])),
                ("description", .string("The revision; for If-Match and If-None-Match.")),
              ])
            )
          ])
        ))
    }
    switch answer.content {
    case .nothing: break
    case .json(let schema, let example):
      if case .object(let inner) = content(["application/json"], schema.openAPI, example, isRequest: false) {
        members += inner
      }
    case .media(let types):
      if case .object(let inner) = content(types, .object([]), nil, isRequest: false) { members += inner }
    }
    return .object(members)
  }
}

extension Schema {
  /// The schema as JSON Schema, draft 2020-12.
  var openAPI: JSONValue {
    switch self {
    case .text(let rule): rule.openAPI
    case .words(let words):
      .object([("type", .string("string")), ("enum", .array(words.map { .string($0) }))])
    case .integer(let allowed):
      .object([
        ("type", .string("integer")), ("minimum", .integer(allowed.lowerBound)),
        ("maximum", .integer(allowed.upperBound)),
      ])
    case .number(let allowed):
      .object([
        ("type", .string("number")), ("minimum", .number(allowed.lowerBound)),
        ("maximum", .number(allowed.upperBound)),
      ])
    case .boolean: .object([("type", .string("boolean"))])
    case .anyObject: .object([("type", .string("object"))])
    case .list(let element, let count):
      .object([
        ("type", .string("array")), ("items", element.openAPI),
        ("minItems", .integer(Int64(count.lowerBound))),
        ("maxItems", .integer(Int64(count.upperBound))),
      ])
    case .object(let members): Self.object(members)
    case .variants(let tag, let variants):
      .object([
        (
          "oneOf",
          .array(variants.map { Self.object([.needed(tag, .words([$0.word]), "")] + $0.members) })
        )
      ])
    case .optional(let schema):
      .object([("anyOf", .array([schema.openAPI, .object([("type", .string("null"))])]))])
    case .named(let name): .object([("$ref", .string("#/components/schemas/\(name.rawValue)"))])
    }
  }

  private static func object(_ members: [Member]) -> JSONValue {
    let properties = members.map { member -> (String, JSONValue) in
      guard !member.meaning.isEmpty, case .object(let schema) = member.schema.openAPI else {
        return (member.name, member.schema.openAPI)
      }
      return (member.name, .object(schema + [("description", .string(member.meaning))]))
    }
    return .object([
      ("type", .string("object")), ("properties", .object(properties)),
      ("required", .array(members.filter(\.required).map { .string($0.name) })),
      ("additionalProperties", .bool(false)),
    ])
  }
}

extension Schema.TextRule {
  fileprivate var openAPI: JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", .string("string")), ("minLength", .integer(Int64(characters.lowerBound))),
      ("maxLength", .integer(Int64(characters.upperBound))),
    ]
    switch form {
    case .plain: members.append(("pattern", .string("^[^\\u0000]*$")))
    case .id: members.append(("pattern", .string("^[0-9a-f]{16}$")))
    case .clock: members.append(("pattern", .string("^([01][0-9]|2[0-3]):[0-5][0-9]$")))
    case .time: members.append(("format", .string("date-time")))
    case .base64URL: members.append(("pattern", .string("^[A-Za-z0-9_-]*$")))
    }
    return .object(members)
  }
}
