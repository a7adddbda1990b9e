import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// Routes for operators: health, metrics, and the description of the API.
enum OperationRoutes {
  private static let health = Schema.object([
    .needed("status", .words(["ok"]), ""), .needed("version", .text(1...50), "Version of the server."),
  ])
  private static var well: Response {
    .json(
      .object([("status", .string("ok")), ("version", .string(ProductVersion.text.string))]))
  }

  static let table: [Route] = [
    Route(
      method: .get, path: "/healthz", name: "getHealth", summary: "Checks that the process answers",
      handler: .anyone { _ in well },
      answers: [.json(health, "The process answers.")], isUnmetered: true),
    Route(
      method: .get, path: "/readyz", name: "getReadiness",
      summary: "Checks that the server can store fixes: the store is intact and writable",
      handler: .anyone(ready), answers: [.json(health, "The server can store fixes.")], isUnmetered: true),
    Route(
      method: .get, path: "/metrics", name: "getMetrics", summary: "Returns metrics for Prometheus",
      handler: .anyone(metrics), answers: [.media(["text/plain"], "Metrics in text format 0.0.4.")]),
    Route(
      method: .get, path: "/openapi.json", name: "getOpenAPI", summary: "Returns this document",
      handler: .anyone { call in
        .json(
          OpenAPI.document(RouteTable.all(call.parts), baseURL: call.parts.core.baseURL ?? call.origin.text))
      }, answers: [.json(.anyObject, "The document, in OpenAPI 3.1.")]),
    Route(
      method: .get, path: "/problems/{kind}", name: "getProblem", summary: "Describes a problem type",
      handler: .anyone { call in
        let kind = try call.word("kind", Problem.Kind.self)
        return Response(
          status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
          body: .init(byteBuffer: ByteBuffer(string: "\(kind.title) (\(kind.status.code))\n")))
      }, answers: [.media(["text/plain"], "A description in one line.")]),
  ]

  private static func ready(_ call: Call) async throws -> Response {
    try await checkReady(call)
    return well
  }

  /// - Throws: a `Problem` with the reason why fixes cannot be stored.
  private static func checkReady(_ call: Call) async throws(Problem) {
    do { try await call.parts.core.health.checkWritable() } catch {
      switch error {
      case .noAnswer: throw Problem(.unavailable, "the store does not answer", retryAfterSeconds: 5)
      case .refused(let refusal):
        throw Problem(refusal)
          ?? Problem(.unavailable, "the store cannot be written", retryAfterSeconds: 5)
      }
    }
    if let trouble = call.parts.operation.caddy?.trouble {
      throw Problem(.unavailable, trouble, retryAfterSeconds: 5)
    }
    // Last, so that an obstacle to storing fixes is named first.
    if let first = call.parts.core.health.damage.first {
      throw Problem(
        .unavailable, "the data is damaged (\(first.excerpt())); restore a copy made by `proximity backup`")
    }
  }

  /// Updates the gauges with current values. If the store cannot be used, only its own gauges are removed.
  private static func gauge(_ call: Call) async {
    let metrics = call.parts.core.metrics
    var isReady = true
    do { try await checkReady(call) } catch { isReady = false }
    metrics.set("proximity_ready", to: isReady ? 1 : 0)
    let canBeAsked = (try? await call.parts.core.health.checkWritable()) != nil
    let statistics = canBeAsked ? try? await call.store.statistics() : nil
    func set(_ name: String, _ value: (StoreStatistics) -> Double) {
      guard let statistics else { return metrics.unset(name) }
      metrics.set(name, to: value(statistics))
    }
    set("proximity_accounts") { Double($0.accounts) }
    set("proximity_devices") { Double($0.devices) }
    set("proximity_unclaimed_devices") { Double($0.unclaimedDevices) }
    set("proximity_zones") { Double($0.zones) }
    set("proximity_open_alarms") { Double($0.openAlarms) }
    set("proximity_outbox") { Double($0.outbox) }
    set("proximity_outbox_overdue_seconds") {
      $0.oldestDue.map { max(0, (call.now - $0).seconds) } ?? 0
    }
    set("proximity_store_bytes") { Double($0.fileBytes) }
    set("proximity_store_log_bytes") { Double($0.logBytes) }
    if let figures = call.store.takeConnectionFigures() {
      for (use, free) in [("writing", figures.freeWriters), ("reading", figures.freeReaders)] {
        metrics.set("proximity_database_connections_free", ["for": use], to: Double(free))
      }
      metrics.setTotal("proximity_database_connections_lost_total", to: Double(figures.lost))
      for span in figures.heardAfter {
        metrics.observe("proximity_news_seconds", seconds: span.seconds)
      }
    }
    metrics.set("proximity_timer_lag_seconds", to: call.parts.alarms.ingest.timerLag.seconds)
    metrics.set("proximity_event_streams", to: Double(call.parts.core.hub.streamCount))
    if let free = call.parts.core.freeBytes() {
      metrics.set("proximity_disk_free_bytes", to: Double(free))
    }
  }

  private static func metrics(_ call: Call) async throws -> Response {
    switch call.parts.core.settings.metrics {
    case .everybody: break
    case .nobody: throw Problem(.notFound, "no such address")
    case .loopback:
      // A proxy on the same machine forwards requests from anywhere: then only the forwarded address counts.
      guard call.origin.isLoopback else { throw Problem(.notFound, "no such address") }
    case .token(let token):
      guard let given = Sessions.presentedToken(call.request),
        constantTimeEqual(Array(given.utf8), Array(token.utf8))
      else { throw Problem(.wrongCredentials, "the token for metrics is required") }
    }
    await gauge(call)
    return Response(
      status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: call.parts.core.metrics.text)))
  }
}
