import AlarmEngine
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Live events (server-sent events of the HTML standard).
enum EventRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/events", name: "streamEvents",
      summary:
        "What changes, as it changes. Ids are those of the change feed: Last-Event-ID resumes without a gap",
      handler: .account(stream),
      query: [
        .init(
          name: "after", schema: .integer(0...Int64.max),
          meaning: "Begins after this cursor, where there is no Last-Event-ID; now, if left out.")
      ],
      answers: [
        .media(
          ["text/event-stream"],
          "`event` is the kind of the thing, `data` a JSON object with `id`, `is_deleted` and, of an alarm, `alarm`."
        )
      ])
  ]

  private static func stream(_ call: Call, _ signed: Signed) async throws -> Response {
    let start: ChangeCursor
    if let last = call.request.headers[HTTPField.Name("Last-Event-ID")!].flatMap({ Int64($0) }), last >= 0 {
      start = ChangeCursor(rawValue: last)
    } else if let after = call.query["after"]?.whole {
      start = ChangeCursor(rawValue: after)
    } else {
      start = try await call.store.cursor(of: signed.account)
    }
    // Before the feed is read for the first time, so that nothing falls between.
    guard let (signals, end) = call.parts.hub.listen(signed.account) else {
      throw Problem(
        .tooManyRequests, "\(call.parts.settings.streamsPerAccount) open streams of one account allowed",
        retryAfterSeconds: 30)
    }
    let stream = EventStream(
      store: call.store, sessions: call.parts.sessions, account: signed.account, request: call.request,
      origin: call.origin, clock: call.parts.clock, signals: signals)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        HTTPField.Name("X-Accel-Buffering")!: "no",
      ],
      body: ResponseBody { writer in
        defer { end() }
        // Somebody who hangs up is noticed at once, not at the next write that fails.
        try await call.request.body.consumeWithInboundCloseHandler { _ in
          try await stream.write(from: start, to: &writer)
        } onInboundClosed: {
          end()
        }
        try await writer.finish(nil)
      })
  }
}
