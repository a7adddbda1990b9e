/// Who a phone says it is. Nothing of it is proven.
public struct DeviceClaim: Hashable, Sendable {
  /// A person's name: from the credentials, `u`, `X-Limit-U` or the topic, the first that there is.
  public var user: String?
  /// A phone's name: from the path, `d`, `X-Limit-D`, the topic, `id` or `device_id`.
  public var device: String?
  /// OwnTracks: two characters that stand for the person.
  public var trackerID: String?
  /// A secret of ours in the path or the header, by which we know the phone.
  public var token: String?
  /// Overland and GPSLogger: what the phone's own system calls it.
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

  /// What the request itself says, before its body.
  init(_ request: PhoneRequest) {
    user = request.credentials?.user
    device = request.device
    token = request.token
    if token == nil, case .bearer(let bearer) = request.credentials { token = bearer }
  }
}
