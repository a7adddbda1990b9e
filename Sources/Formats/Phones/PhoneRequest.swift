import AlarmEngine

/// A request of a phone, reduced to the parts that carry meaning.
///
///     guard let request = PhoneRequest(path: path, query: query, header: { headers[$0] }, body: body, receivedAt: now)
///     else { return notFound }
///     let report = PhoneReport.read(request)
///
/// The HTTP method is left out: no protocol uses it.
public struct PhoneRequest: Sendable {
  public var endpoint: PhoneEndpoint
  /// The token in the path, if there is one.
  public var token: String?
  /// The phone's name in the path, if there is one.
  public var device: String?
  /// The credentials as sent, unverified.
  public var credentials: PhoneCredentials?
  /// The query string after `?`, still percent-encoded.
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

  /// The secret to authenticate by before the body is read: the token in the path, else that of the
  /// credentials.
  public var secret: String? { token ?? credentials?.secret }

  /// - Parameters:
  ///   - path: as in the request line, still encoded, without the query.
  ///   - header: returns the value of a header by its name, in any case.
  /// - Returns: nil if no phone app reports to such a path.
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
