import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// Fixes of our own page and of library clients.
enum FixRoutes {
  private static let answer = Schema.object([
    .needed("device_id", .id, ""), .needed("taken", .integer(0...1_000_000), "Number of fixes stored."),
    .needed("refused", .integer(0...1_000_000), "Number of fixes that cannot be read; the body is kept."),
    .needed(
      "issues", .list(.text(0...1000), upTo: FixBatch.mostIssues), "Reasons, each with the number of the fix."
    ),
    .needed("alarms", .list(.named(.alarm), upTo: 100_000), "Open alarms of the device."),
  ])

  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/fixes", name: "postFixes",
      summary:
        "Stores up to 20,000 fixes: JSON (`{\"fixes\": [...]}`, a list, or one fix) or one per line; gzip is accepted",
      handler: .phone(take),
      query: [
        .init(
          name: "device", schema: .id, meaning: "Id of the device; not needed with the device's own token."),
        .init(
          name: "name", schema: .text(1...200), meaning: "Name of the device, which is created if it is new."),
      ], body: .bytes(["application/json", "application/x-ndjson"], maximum: PhoneRoutes.maximumBytes),
      answers: [.json(answer, "The fixes are stored and evaluated.")])
  ]

  static func take(_ request: Request, _ context: AppContext, _ parts: ServerParts) async throws -> Response {
    let now = parts.core.clock.now()
    let origin = Origin(request, peer: context.peer, settings: parts.core.settings)
    let device = try await device(request, origin, parts, at: now)
    let body: [UInt8]
    do {
      body = try await RequestBody.collect(
        request, upTo: PhoneRoutes.maximumBytes, within: parts.core.settings.idleTimeoutSeconds)
    } catch let refusal as RequestBody.Refusal { throw refusal.problem }
    let batch = FixBatch(body, receivedAt: now)
    guard batch.count <= FixBatch.most else {
      throw Problem(
        .tooLarge,
        "\(batch.count) fixes found, \(FixBatch.most) allowed in one request; none of them is stored: send them in parts"
      )
    }
    var report = DeviceReport(device: device, fixes: batch.fixes, isHeard: !batch.isMalformed)
    if batch.isMalformed { report.malformed = (batch.issues.first ?? "").excerpt(500) }
    report.told = batch.told
    if batch.refused > 0 {
      report.rawBodies = [
        RawBody(
          device: device, receivedAt: now, source: "fixes", reason: batch.issues.first ?? "", body: body)
      ]
    }
    let outcome = try await parts.alarms.ingest.submit(.report(report))
    return .json(
      .object([
        ("device_id", .string(device.description)), ("taken", .integer(Int64(batch.fixes.count))),
        ("refused", .integer(Int64(batch.refused))), ("issues", .array(batch.issues.map { .string($0) })),
        ("alarms", .array(outcome.open.map { .object(AlarmRoutes.members(of: $0)) })),
      ]))
  }

  private static func device(
    _ request: Request, _ origin: Origin, _ parts: ServerParts, at now: Instant
  ) async throws -> DeviceID {
    let account: AccountID
    if let secret = Sessions.presentedToken(request) {
      guard let token = try await parts.alarms.phones.token(secret, now: now) else {
        if let seconds = parts.accounts.limits.strangersReports.take(
          AddressBlock.household(of: origin.address), at: now)
        {
          throw Problem(
            .tooManyRequests, "too many wrong tokens from this address", retryAfterSeconds: seconds)
        }
        throw Problem(.wrongCredentials, "the token in Authorization is not valid")
      }
      if let device = token.device { return device }
      account = token.account
    } else {
      let signed = try await parts.accounts.sessions.signed(request, origin, at: now)
      try CrossSite.check(request, origin, of: signed)
      account = signed.account
    }
    let query = request.uri.queryParameters
    if let text = query["device"] {
      guard let id = parsedID(text) else {
        throw Problem(.invalidParameter, "device: \(String(text).excerpt(60)) found, sixteen digits allowed")
      }
      return try await parts.core.store.device(DeviceID(rawValue: id), of: account).id
    }
    guard let name = query["name"].map({ String($0.prefix(200)) }), !name.isEmpty else {
      throw Problem(.invalidParameter, "neither device nor name found, and the token is not a device's own")
    }
    return try await parts.core.store.device(
      identifiedBy: DeviceIdentity(.own, name, of: account),
      makingOne: Device(account: account, name: name, createdAt: now),
      unclaimedLimit: PhoneIdentification.unclaimedAtMost
    ).id
  }
}
