import AlarmEngine

/// The content of one request of a phone: positions, other messages, and issues.
///
/// Reading never traps or throws, and a bad element does not affect the others. Acknowledge every request
/// once it is on disk, whatever it holds: some phones (OwnTracks on iOS) discard a request that is refused
/// with 4xx.
public struct PhoneReport: Hashable, Sendable {
  public var endpoint: PhoneEndpoint
  public var claim: DeviceClaim
  /// The phone's present position first, then the others by time of measurement. Of several reports of one
  /// measurement only the first is kept.
  public var fixes: [ReportedFix] = []
  /// The number of fixes left out because the request has them already.
  public var duplicates = 0
  public var messages: [PhoneMessage] = []
  /// The issues, at most a hundred; the last says how many more there are. `line` is the element's number in
  /// a batch, from 1.
  public var issues: [ReadIssue] = []
  /// True if Overland sent the OwnTracks format, with times since 2001 and a reply of its own.
  public var isOverlandAsOwnTracks = false

  /// True if the body has more than the report: an omitted element, a picture, long texts, surplus
  /// attributes.
  public var bodyHasMore = false

  /// True if part of the body was not understood or has no field here: keep the raw bytes so that nothing is
  /// lost.
  public var needsRawBody: Bool { bodyHasMore || isPartlyUnread }

  private var isPartlyUnread: Bool {
    messages.contains {
      switch $0 {
      case .unknown, .unreadable: true
      default: false
      }
    }
  }

  /// True if the request proves that the phone is alive. A message that cannot be read does not.
  public var isSignOfLife: Bool {
    !fixes.isEmpty
      || messages.contains {
        switch $0 {
        case .unknown, .unreadable, .sealed: false
        default: true
        }
      }
  }

  /// The first reason for leaving something out.
  public var firstFault: String { firstError ?? "of an unknown kind" }
  private var firstError: String? { issues.first { $0.severity == .error }?.message }

  /// The reason why a request that should hold a position gave none; nil if one was read or none was
  /// expected.
  public var missingPosition: String? {
    guard fixes.isEmpty else { return nil }
    if isPartlyUnread { return firstFault }
    let isOfFences = messages.contains {
      switch $0 {
      case .waypoints, .configuration: true
      default: false
      }
    }
    return isOfFences ? nil : firstError
  }

  /// The states of the phone, first those sent with positions, then those of heartbeats.
  public var states: [(at: Instant, state: PhoneState, fix: ReportedFix?)] {
    fixes.map { ($0.fix.measuredAt, $0.details.state, $0) }
      + messages.compactMap { message in
        guard case .heartbeat(let at, let state) = message else { return nil }
        return (at, state, nil)
      }
  }

  /// Removes every attribute and name that contains the secret, so that a stored report grants no access.
  public mutating func forget(secret: String) {
    guard !secret.isEmpty else { return }
    for index in fixes.indices {
      fixes[index].details.state.attributes.removeAll {
        $0.value.contains(secret) || $0.name.contains(secret)
      }
      for path in [\FixDetails.device, \.messageID]
      where fixes[index].details[keyPath: path]?.contains(secret) == true {
        fixes[index].details[keyPath: path] = nil
      }
    }
    if claim.device?.contains(secret) == true { claim.device = nil }
    if claim.user?.contains(secret) == true { claim.user = nil }
    if claim.uniqueID?.contains(secret) == true { claim.uniqueID = nil }
    if claim.trackerID?.contains(secret) == true { claim.trackerID = nil }
  }

  /// Reads a request to any endpoint.
  ///
  /// An encrypted OwnTracks message is returned as `.sealed`: decrypt it with the device's key, make the
  /// plain text the body of the request, and read it again.
  /// - Complexity: linear in the size of the request.
  public static func read(_ request: PhoneRequest) -> Self {
    var builder = PhoneReportBuilder(request)
    switch request.endpoint {
    case .owntracks, .logOwnTracks: OwnTracksMessage.read(request, into: &builder)
    case .overland, .logOverland: OverlandBatch.read(request, into: &builder)
    case .traccar, .logTraccar: TraccarReport.read(request, into: &builder)
    case .osmand: OsmAndReport.read(request, into: &builder)
    case .gpslogger: GPSLoggerReport.read(request, into: &builder)
    case .logGet, .logPost, .logPostMultiple, .logOsmAnd, .logGPSLogger, .logLocusMap, .logULogger,
      .logOpenGTS:
      PhoneTrackReport.read(request, into: &builder)
    }
    return builder.finish()
  }
}
