import AlarmEngine
import AlarmService
import Delivery
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
        "Streams changes as they happen. Event ids are cursors of the change feed: Last-Event-ID resumes without a gap, "
        + "or an event `reset` announces a gap, after which everything has to be read again",
      handler: .account(stream),
      query: [
        .init(
          name: "after", schema: .integer(0...Int64.max),
          meaning: "Cursor to start after, if there is no Last-Event-ID; now if left out."),
        .init(
          name: "epoch", schema: .text(1...40),
          meaning: "Epoch of `after`, as returned by `/api/v1/sync`."),
      ],
      answers: [
        .media(
          ["text/event-stream"],
          "`event` is the kind of the object, `data` a JSON object with `id`, `is_deleted` and, for an alarm, `alarm`."
        )
      ])
  ]

  private static func stream(_ call: Call, _ signed: Signed) async throws -> Response {
    let epoch = try await call.store.feedEpoch()
    let now = try await call.store.cursor(of: signed.account)
    let asked = try Self.asked(call)
    let resumes: Bool
    if let asked {
      resumes = try await call.resumes(signed.account, after: asked.cursor, asked.epoch)
    } else {
      resumes = true
    }
    let start = resumes ? asked?.cursor ?? now : now
    // Before the feed is read for the first time, so that no change is missed in between.
    guard let listening = call.parts.core.hub.listen(signed.account) else {
      throw Problem(
        .tooManyRequests, "\(call.parts.core.settings.streamsPerAccount) open streams of one account allowed",
        retryAfterSeconds: 30)
    }
    let stream = EventStream(
      store: call.store, sessions: call.parts.accounts.sessions, account: signed.account,
      request: call.request,
      origin: call.origin, clock: call.parts.core.clock, hub: call.parts.core.hub, listening: listening,
      epoch: epoch)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        HTTPField.Name("X-Accel-Buffering")!: "no",
      ],
      body: ResponseBody { writer in
        defer { listening.end() }
        // A client that disconnects is noticed at once, not at the next write that fails.
        try await call.request.body.consumeWithInboundCloseHandler { _ in
          try await stream.write(from: start, isReset: !resumes, to: &writer)
        } onInboundClosed: {
          listening.end()
        }
        try await writer.finish(nil)
      })
  }

  /// The client's position in the feed: `EPOCH-CURSOR`, as in the ids of events, or a cursor alone; nil: it
  /// has none yet.
  private static func asked(_ call: Call) throws -> (cursor: ChangeCursor, epoch: String?)? {
    if let last = call.request.headers[HTTPField.Name("Last-Event-ID")!] {
      let parts = last.split(separator: "-", maxSplits: 1)
      if let number = parts.last.flatMap({ Int64($0) }), number >= 0 {
        return (ChangeCursor(rawValue: number), parts.count == 2 ? String(parts[0]) : nil)
      }
    }
    guard let after = call.query["after"]?.whole else { return nil }
    return (ChangeCursor(rawValue: after), call.query["epoch"]?.string)
  }
}
