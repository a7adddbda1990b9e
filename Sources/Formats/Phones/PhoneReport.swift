import AlarmEngine

/// What one request of a phone says: positions, everything else, and what could not be made use of.
///
/// Nothing in a request traps or throws, and one bad element never costs the others. Acknowledge it when it is on
/// disk, whatever it holds: what is refused with 4xx some phones throw away (OwnTracks on iOS).
public struct PhoneReport: Hashable, Sendable {
  public var endpoint: PhoneEndpoint
  public var claim: DeviceClaim
  /// What a phone calls its present place comes first, all else by its own time; of several reports of one
  /// measurement only the first is there.
  public var fixes: [ReportedFix] = []
  /// How many fixes were left out because the same request has them already.
  public var duplicates = 0
  public var messages: [PhoneMessage] = []
  /// `line` is the number of the element in a batch, from 1. At most a hundred; the last tells how many more.
  public var issues: [ReadIssue] = []
  /// Overland speaks OwnTracks, with times from 2001 and an answer of its own.
  public var isOverlandAsOwnTracks = false

  /// The body has more than is here: an element that is left out, a picture, long texts, more attributes than are kept.
  public var bodyHasMore = false

  /// Something in the body was not understood, or has no place here: keep the bytes themselves, so that nothing is lost.
  public var needsRawBody: Bool { bodyHasMore || isPartlyUnread }

  private var isPartlyUnread: Bool {
    messages.contains {
      switch $0 {
      case .unknown, .unreadable: true
      default: false
      }
    }
  }

  /// Whether the phone was heard of: a message that cannot be read may come from it, and tells nothing of how it is.
  public var isSignOfLife: Bool {
    !fixes.isEmpty
      || messages.contains {
        switch $0 {
        case .unknown, .unreadable, .sealed: false
        default: true
        }
      }
  }

  /// The first reason why something was left out.
  public var firstFault: String { firstError ?? "of an unknown kind" }
  private var firstError: String? { issues.first { $0.severity == .error }?.message }

  /// Why no position could be read although the request should have held one; nil if one could, or none was to be expected.
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

  /// What the phone told of itself, each time with a position or without one, in the order of the report.
  public var states: [(at: Instant, state: PhoneState, fix: ReportedFix?)] {
    fixes.map { ($0.fix.measuredAt, $0.details.state, $0) }
      + messages.compactMap { message in
        guard case .heartbeat(let at, let state) = message else { return nil }
        return (at, state, nil)
      }
  }

  /// Forgets every attribute in which a secret stands: what is kept of a report must not let anybody in.
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

  /// Reads a request to whichever endpoint.
  ///
  /// An OwnTracks message that is encrypted comes back as `.sealed`: open it with the device's key, put what is inside
  /// in the request as its body, and read that.
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
