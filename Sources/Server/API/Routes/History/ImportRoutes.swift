import AlarmEngine
import AlarmService
import Formats
import Hummingbird
import Logging
import Store

/// Imports of recorded tracks into a device's history.
enum ImportRoutes {
  /// The largest file in bytes, as it is sent; gzip reduces most files to a tenth.
  static let maximumBytes = 32 << 20
  /// An import without progress for this long has ended with its process.
  private static let longestSilence = TimeSpan.minutes(2)
  private static let fixesAtOnce = 5000

  private static let schema = Schema.object([
    .needed("id", .id, ""), .needed("name", .text(0...200), "Name of the file."),
    .needed(
      "state", .words(["reading", "done", "stopped", "failed"]),
      "In every state the positions added stay; importing the file again adds the missing ones."),
    .needed("share", .optional(.number(0...1)), "Fraction of the file that has been read."),
    .needed("fixes_read", .integer(0...(1 << 53)), ""),
    .needed("fixes_added", .integer(0...(1 << 53)), "Number of positions that were not there already."),
    .needed("started_at", .time, ""), .needed("changed_at", .time, ""),
    .needed("first_at", .optional(.time), "Earliest time of measurement among those added."),
    .needed("last_at", .optional(.time), "Latest time of measurement among those added."),
    .needed(
      "detail", .text(0...100_000),
      "Positions left out with reasons, or the reason for a failure; one sentence per line."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices/{device}/imports", name: "listImports",
      summary: "Lists the imports into a device's history, latest first",
      handler: .account { call, signed in
        let imports = try await call.store.imports(of: try DeviceRoutes.id(call), account: signed.account)
        return .items(imports.map { json($0, at: call.now) })
      }, answers: [.json(.items(schema, upTo: TrackImport.most), "The imports.")]),
    Route(
      method: .post, path: "/api/v1/devices/{device}/imports", name: "importTrack",
      summary:
        """
        Imports a recorded track into a device's history; nothing rings. The body is the file, optionally gzipped: \
        Google's timeline, OwnTracks .rec, GPX and the other formats
        """,
      handler: .account(begin),
      query: [
        .init(name: "name", schema: .text(0...200), meaning: "Name of the file."),
        .init(
          name: "format", schema: .words(TrackFormat.allCases.map(\.rawValue)),
          meaning: "Format, if the content does not show it."),
        .init(
          name: "track", schema: .text(0...200),
          meaning: "Device whose positions are imported, if the file has several."),
      ], body: .bytes(["*/*"], maximum: maximumBytes),
      answers: [.json(schema, "The import has started; `listImports` shows its progress.", status: .accepted)]
    ),
    Route(
      method: .delete, path: "/api/v1/devices/{device}/imports/{import}", name: "deleteImport",
      summary: "Stops an import and removes the positions it added", handler: .account(remove),
      answers: [.nothing("Removed.")]),
  ]

  private static func begin(_ call: Call, _ signed: Signed) async throws -> Response {
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account).id
    guard !call.bytes.isEmpty else {
      throw Problem.invalid("", "nothing found, the bytes of a track allowed")
    }
    let imported = TrackImport(
      device: device, name: call.query["name"]?.string ?? "", startedAt: call.now)
    let parts = call.parts
    do throws(RunningImports.Refusal) {
      try parts.operation.imports.begin(imported.id, of: signed.account)
    } catch {
      switch error {
      case .ownRuns:
        throw Problem(.conflict, "an import of this account is running; one at a time is allowed")
      case .othersRun:
        throw Problem(.tooManyRequests, "imports of others are running", retryAfterSeconds: 30)
      }
    }
    do { try await call.store.create(imported, of: signed.account) } catch {
      parts.operation.imports.end(imported.id, of: signed.account)
      throw error
    }
    let importer = TrackImporter(
      store: call.store, account: signed.account, clock: parts.core.clock, track: call.query["track"]?.string,
      ending: { parts.operation.imports.end(imported.id, of: signed.account) })
    let (bytes, logger) = (call.bytes, call.logger)
    let format = call.query["format"]?.string.flatMap(TrackFormat.init(rawValue:))
    let isBegun = parts.operation.backgroundTasks.run {
      do {
        _ = try await importer.run(.bytes(bytes), into: imported, format: format) { _ in
          parts.operation.imports.goesOn(imported.id)
        }
      } catch StoreError.notFound {
        // The import was removed meanwhile, or the device is gone.
      } catch { logger.error("an import failed", metadata: ["error": "\(error)"]) }
      parts.operation.imports.end(imported.id, of: signed.account)
    }
    guard isBegun else {
      parts.operation.imports.end(imported.id, of: signed.account)
      _ = try await call.store.removeImport(imported.id, of: device, account: signed.account, limit: 1)
      throw Problem(.tooManyRequests, "the server is busy", retryAfterSeconds: 30)
    }
    return .json(json(imported, at: call.now), status: .accepted)
  }

  private static func remove(_ call: Call, _ signed: Signed) async throws -> Response {
    let device = try DeviceRoutes.id(call)
    let id = TrackImportID(rawValue: try call.id("import"))
    call.parts.operation.imports.stop(id)
    while !(try await call.store.removeImport(
      id, of: device, account: signed.account, limit: fixesAtOnce))
    { await Task.yield() }
    return .nothing
  }

  private static func json(_ imported: TrackImport, at now: Instant) -> JSONValue {
    let state =
      switch imported.state {
      case .reading: now - imported.changedAt > longestSilence ? "stopped" : "reading"
      case .done: "done"
      case .stopped: "stopped"
      case .failed: "failed"
      }
    return .object([
      ("id", .string(imported.id.description)), ("name", .string(imported.name)), ("state", .string(state)),
      ("share", imported.share.map { .number($0) } ?? .null),
      ("fixes_read", .integer(Int64(imported.fixesRead))),
      ("fixes_added", .integer(Int64(imported.fixesAdded))), ("started_at", imported.startedAt.json),
      ("changed_at", imported.changedAt.json), ("first_at", imported.first?.json ?? .null),
      ("last_at", imported.last?.json ?? .null), ("detail", .string(imported.detail)),
    ])
  }
}
