import AlarmService
import Places

/// The served files, the tasks in the background, and the connections to other programs.
struct OperationParts: Sendable {
  /// Nil as long as no page has been built.
  let page: StaticFiles?
  /// Nil if the operator offers no app.
  let androidApp: AndroidApp?
  let places: PlaceFinder
  let packs: PackCache
  let sights: SharedSights
  let housekeeping: Housekeeping
  let externalChanges: ExternalChanges
  let backgroundTasks = BackgroundTasks()
  let imports = RunningImports()
  let mqtt: MQTTStatus
  /// Nil if the server starts no Caddy.
  let caddy: CaddyProxy?
}
