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
    .needed("type", .text(1...200), "Stable; an address that says more."),
    .needed("title", .text(1...200), "The same for every problem of the type."),
    .needed("status", .integer(400...599), "As the answer's."),
    .needed("detail", .text(0...4000), "What was given and what is allowed."),
    .allowed(
      "findings",
      .list(
        .object([
          .needed("place", .text(0...1000), "JSON pointer into the body, or a parameter's name."),
          .needed("message", .text(0...4000), "What was found and what is allowed."),
        ]), upTo: Schema.maximumFindings), "Everything that was found."),
  ])
}
