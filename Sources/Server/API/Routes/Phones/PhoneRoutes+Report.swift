import AlarmEngine
import AlarmService
import Delivery
import Formats
import Geometry
import PayloadCrypto
import Store

/// Turns a phone's request into the report that is stored and judged.
extension PhoneRoutes {
  /// A report that is accepted, and whether it is proven to come from the device.
  struct TakenReport {
    var report: PhoneReport
    var taken: DeviceReport
    var isProven: Bool
  }

  /// Decrypts the messages. A device with a key accepts no unencrypted message without a token.
  /// - Returns: nil if the report needs proof and has none.
  static func report(
    _ report: PhoneReport, _ request: PhoneRequest, _ device: DeviceID, isProven: Bool, _ store: SQLStore
  ) async throws -> TakenReport? {
    let boxes = report.messages.compactMap { if case .sealed(let box) = $0 { box } else { nil } }
    let secret = PhoneIdentification.secret(report.claim, request.credentials, request.endpoint)
    guard !boxes.isEmpty else {
      if !isProven, try await store.device(device).passphrase != nil { return nil }
      return TakenReport(
        report: report, taken: deviceReport(report, request, device, secret: secret), isProven: isProven)
    }
    let passphrase = try await store.device(device).passphrase
    if let inside = opened(boxes, request, passphrase) {
      // Only a holder of the key can have sealed it.
      return TakenReport(
        report: inside, taken: deviceReport(inside, request, device, secret: secret), isProven: true)
    }
    var kept = report
    let unread: DeviceStatus.Unread = passphrase == nil ? .noKey : .wrongKey
    kept.issues.append(ReadIssue(.error, unread.words))
    kept.messages.append(.unreadable)
    var taken = deviceReport(kept, request, device, secret: secret)
    taken.unread = unread
    return TakenReport(report: kept, taken: taken, isProven: isProven)
  }

  /// The contents of the encrypted messages as one report; nil if the key does not open all of them.
  static func opened(_ boxes: [[UInt8]], _ request: PhoneRequest, _ passphrase: String?) -> PhoneReport? {
    guard let passphrase, let key = try? PayloadKey(passphrase: passphrase) else { return nil }
    var whole: PhoneReport?
    for box in boxes {
      guard let inside = key.open(box) else { return nil }
      var request = request
      request.body = inside
      let report = PhoneReport.read(request)
      whole?.fixes += report.fixes
      whole?.messages += report.messages
      whole?.issues += report.issues
      if report.bodyHasMore { whole?.bodyHasMore = true }
      whole = whole ?? report
    }
    return whole
  }

  /// - Parameter secret: the token or password of the phone. It is removed from everything that is stored.
  static func deviceReport(
    _ report: PhoneReport, _ request: PhoneRequest, _ device: DeviceID, secret: String?
  ) -> DeviceReport {
    var report = report
    if let secret { report.forget(secret: secret) }
    var taken = DeviceReport(device: device, fixes: report.fixes.map(\.stored))
    taken.told = report.states.compactMap { PhoneTold($0.state, at: $0.at, fix: $0.fix) }
    taken.isHeard = report.isSignOfLife
    taken.malformed = report.missingPosition?.excerpt(500)
    if report.needsRawBody {
      taken.rawBodies = [raw(request, device, report.firstFault.excerpt(500), secret: secret)]
    }
    taken.wantsDistance = report.endpoint == .overland || report.endpoint == .logOverland
    return taken
  }

  private static func raw(
    _ request: PhoneRequest, _ device: DeviceID, _ reason: String, secret: String?
  ) -> RawBody {
    var body = request.body.isEmpty ? Array(request.query.utf8) : request.body
    if let secret, !secret.isEmpty {
      body.replace(Array(secret.utf8), with: Array("(secret)".utf8))
    }
    return RawBody(
      device: device, receivedAt: request.receivedAt, source: request.endpoint.rawValue, reason: reason,
      body: body)
  }
}

extension DeviceStatus.Unread {
  var words: String {
    switch self {
    case .noKey: "the message is encrypted, and the device has no key"
    case .wrongKey: "the message is encrypted, and the device's key does not open it"
    case .malformed: "no position can be read in the message"
    }
  }
}

extension PhoneReply {
  /// The refusal for too many requests from one address without a valid token. Not 429 for OwnTracks: on iOS
  /// it would discard the message.
  static func tooMany(at endpoint: PhoneEndpoint, seconds: Int) -> Self {
    Self(status: endpoint.isOwnTracks ? 503 : 429, retryAfter: seconds)
  }
}

extension ReportedFix {
  /// The fix with the other values that the phone sent.
  var stored: StoredFix {
    var members: [(String, JSONValue)] = []
    if timeBasis == .arrival { members.append(("time_basis", .string("arrival"))) }
    if case .dilution(let hdop) = accuracyBasis { members.append(("hdop", .number(hdop))) }
    if let height = details.verticalAccuracy {
      members.append(("vertical_accuracy_m", .number(height.metres)))
    }
    if let satellites = details.satellites { members.append(("satellites", .integer(Int64(satellites)))) }
    members += StoredFix.members(
      charging: details.state.isCharging, motion: details.state.motion, alarm: details.state.alarm)
    if !details.regions.isEmpty { members.append(("regions", .array(details.regions.map { .string($0) }))) }
    if details.state.isMock == true { members.append(("is_mock", .bool(true))) }
    members += details.state.attributes.prefix(50).map { ($0.name, .string(String($0.value.prefix(500)))) }
    return StoredFix(
      fix, altitude: details.altitude, battery: details.state.battery,
      detail: members.isEmpty ? nil : JSONValue.object(members).text)
  }
}
