import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// For those who run the server: is it well, what does it do, what does the API look like.
enum OperationRoutes {
  private static let health = Schema.object([
    .needed("status", .words(["ok"]), ""), .needed("version", .text(1...50), "Of the server."),
  ])
  private static var well: Response {
    .json(
      .object([("status", .string("ok")), ("version", .string(ProductVersion.text.string))]))
  }

  static let table: [Route] = [
    Route(
      method: .get, path: "/healthz", name: "getHealth", summary: "Whether the process answers",
      handler: .anyone { _ in well },
      answers: [.json(health, "It does.")], isUnmetered: true),
    Route(
      method: .get, path: "/readyz", name: "getReadiness",
      summary: "Whether it can take fixes: the store is whole, can be written, and the disk has room",
      handler: .anyone(ready), answers: [.json(health, "It can.")], isUnmetered: true),
    Route(
      method: .get, path: "/metrics", name: "getMetrics", summary: "Figures for Prometheus",
      handler: .anyone(metrics), answers: [.media(["text/plain"], "Text format 0.0.4.")]),
    Route(
      method: .get, path: "/openapi.json", name: "getOpenAPI", summary: "This document",
      handler: .anyone { call in
        .json(
          OpenAPI.document(RouteTable.all(call.parts), baseURL: call.parts.baseURL ?? call.origin.text))
      }, answers: [.json(.anyObject, "OpenAPI 3.1.")]),
    Route(
      method: .get, path: "/problems/{kind}", name: "getProblem", summary: "What a problem's type means",
      handler: .anyone { call in
        let kind = try call.word("kind", Problem.Kind.self)
        return Response(
          status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
          body: .init(byteBuffer: ByteBuffer(string: "\(kind.title) (\(kind.status.code))\n")))
      }, answers: [.media(["text/plain"], "One line.")]),
  ]

  /// Less than this, and nothing more is taken: SQLite's log needs room to be written back.
  static let leastFreeBytes: Int64 = 64 << 20

  private static func ready(_ call: Call) async throws -> Response {
    do { try await call.parts.health.checkWritable() } catch {
      switch error {
      case .noAnswer: throw Problem(.unavailable, "the store does not answer", retryAfterSeconds: 5)
      case .refused(let refusal):
        throw Problem(refusal) ?? Problem(.unavailable, "the store cannot be written", retryAfterSeconds: 5)
      }
    }
    if let free = call.parts.freeBytes(), free < leastFreeBytes {
      throw Problem(.storageFull, "\(free) bytes free, \(leastFreeBytes) needed", retryAfterSeconds: 60)
    }
    // Last, so that what keeps fixes from being taken is named first.
    if let first = call.parts.health.damage.first {
      throw Problem(
        .unavailable, "the data is damaged (\(first.excerpt())); a copy made by `proximity backup` helps")
    }
    return well
  }

  private static func metrics(_ call: Call) async throws -> Response {
    switch call.parts.settings.metrics {
    case .everybody: break
    case .nobody: throw Problem(.notFound, "no such address")
    case .loopback:
      // A proxy on the same machine brings the world in: then only its forwarded address counts.
      guard call.origin.isLoopback else { throw Problem(.notFound, "no such address") }
    case .token(let token):
      guard let given = Sessions.presentedToken(call.request),
        constantTimeEqual(Array(given.utf8), Array(token.utf8))
      else { throw Problem(.wrongCredentials, "the figures' token is needed") }
    }
    let metrics = call.parts.metrics
    let statistics = try await call.store.statistics()
    metrics.set("proximity_accounts", to: Double(statistics.accounts))
    metrics.set("proximity_devices", to: Double(statistics.devices))
    metrics.set("proximity_unclaimed_devices", to: Double(statistics.unclaimedDevices))
    metrics.set("proximity_zones", to: Double(statistics.zones))
    metrics.set("proximity_open_alarms", to: Double(statistics.openAlarms))
    metrics.set("proximity_outbox", to: Double(statistics.outbox))
    let overdue = statistics.oldestDue.map { max(0, (call.now - $0).seconds) } ?? 0
    metrics.set("proximity_outbox_overdue_seconds", to: overdue)
    metrics.set("proximity_store_bytes", to: Double(statistics.fileBytes))
    metrics.set("proximity_store_log_bytes", to: Double(statistics.logBytes))
    metrics.set("proximity_event_streams", to: Double(call.parts.hub.streamCount))
    if let free = call.parts.freeBytes() { metrics.set("proximity_disk_free_bytes", to: Double(free)) }
    return Response(
      status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: metrics.text)))
  }
}
