import AlarmService

/// Schemas that the OpenAPI document lists under `components`.
enum NamedSchema {
  enum Name: String, CaseIterable, Sendable {
    case problem = "Problem"
    case zone = "Zone"
    case alarm = "Alarm"
    case fix = "Fix"
    case deviceSettings = "DeviceSettings"

    var schema: Schema {
      switch self {
      case .problem: NamedSchema.problem
      case .zone: ZoneRoutes.stored
      case .alarm: .object(AlarmRoutes.members)
      case .fix: .object(HistoryRoutes.fixMembers)
      case .deviceSettings: .object(DeviceSettings.members.map(Schema.Member.init))
      }
    }
  }

  static let problem = Schema.object([
    .needed("type", .text(1...200), "Stable identifier of the type: an address with a description."),
    .needed("title", .text(1...200), "Summary, the same for every problem of the type."),
    .needed("status", .integer(400...599), "HTTP status code of the response."),
    .needed("detail", .text(0...4000), "The value given and the values allowed."),
    .allowed(
      "findings",
      .list(
        .object([
          .needed("place", .text(0...1000), "JSON pointer into the body, or the name of a parameter."),
          .needed("message", .text(0...4000), "The value found and the values allowed."),
        ]), upTo: Schema.maximumFindings), "Errors found in the request."),
  ])
}
