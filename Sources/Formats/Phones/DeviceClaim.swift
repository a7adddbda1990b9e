/// The identity that a phone claims, unverified.
public struct DeviceClaim: Hashable, Sendable {
  /// The person's name, from the first of these that is present: credentials, `u`, `X-Limit-U`, topic.
  public var user: String?
  /// A phone's name: from the path, `d`, `X-Limit-D`, the topic, `id` or `device_id`.
  public var device: String?
  /// OwnTracks: two characters that stand for the person.
  public var trackerID: String?
  /// A secret that we issued, in the path or the header, which identifies the phone.
  public var token: String?
  /// Overland and GPSLogger: the phone's id in its own system.
  public var uniqueID: String?

  public init(
    user: String? = nil, device: String? = nil, trackerID: String? = nil, token: String? = nil,
    uniqueID: String? = nil
  ) {
    self.user = user
    self.device = device
    self.trackerID = trackerID
    self.token = token
    self.uniqueID = uniqueID
  }

  /// Takes the claims of path and header, without those of the body.
  init(_ request: PhoneRequest) {
    user = request.credentials?.user
    device = request.device
    token = request.token
    if token == nil, case .bearer(let bearer) = request.credentials { token = bearer }
  }
}
