import AlarmEngine

/// What a phone sent, as far as its meaning goes.
///
///     guard let request = PhoneRequest(path: path, query: query, header: { headers[$0] }, body: body, receivedAt: now)
///     else { return notFound }
///     let report = PhoneReport.read(request)
///
/// The method is left out: no protocol says anything by it.
public struct PhoneRequest: Sendable {
  public var endpoint: PhoneEndpoint
  /// From the path, where it has one.
  public var token: String?
  /// The phone's name from the path, where it has one.
  public var device: String?
  /// As claimed; nobody has checked them yet.
  public var credentials: PhoneCredentials?
  /// What follows `?`, still encoded.
  public var query: String
  /// OwnTracks: `X-Limit-U` and `X-Limit-D`.
  public var limitUser: String?
  public var limitDevice: String?
  public var userAgent: String?
  public var body: [UInt8]
  public var receivedAt: Instant

  public init(
    endpoint: PhoneEndpoint, token: String? = nil, device: String? = nil,
    credentials: PhoneCredentials? = nil, query: String = "", limitUser: String? = nil,
    limitDevice: String? = nil, userAgent: String? = nil, body: [UInt8] = [], receivedAt: Instant
  ) {
    self.endpoint = endpoint
    self.token = token
    self.device = device
    self.credentials = credentials
    self.query = query
    self.limitUser = limitUser
    self.limitDevice = limitDevice
    self.userAgent = userAgent
    self.body = body
    self.receivedAt = receivedAt
  }

  /// What it proves itself by before its body is read: the token in its path, or that of its credentials.
  public var secret: String? { token ?? credentials?.secret }

  /// - Parameters:
  ///   - path: as in the request line, still encoded, without the query.
  ///   - header: the value of a header by its name, in whatever case.
  /// - Returns: nil when no phone's app reports to such a path.
  public init?(
    path: String, query: String, header: (_ name: String) -> String?, body: [UInt8], receivedAt: Instant
  ) {
    guard let place = PhoneEndpoint.find(path: path) else { return nil }
    self.init(
      endpoint: place.endpoint, token: place.token, device: place.device,
      credentials: header("Authorization").flatMap(PhoneCredentials.init(authorization:)), query: query,
      limitUser: header("X-Limit-U"), limitDevice: header("X-Limit-D"), userAgent: header("User-Agent"),
      body: body, receivedAt: receivedAt)
  }
}
