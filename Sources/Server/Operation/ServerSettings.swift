import AlarmEngine
import Delivery
import Foundation
import HTTPTypes
import Logging

/// How a server is run. Made by `ServerSettings.Reader` from flags, environment and file.
public struct ServerSettings: Sendable {
  public var host = "127.0.0.1"
  /// 0 takes any free port.
  public var port = 8080
  /// The folder of `proximity.sqlite`; nil if the store is elsewhere.
  public var dataFolder: URL?
  /// The PostgreSQL database with the data; nil for the file in the data folder. It may contain a password.
  public var database: String?
  /// The name that distinguishes the processes that share a store; it is the same after a restart. Nil takes
  /// the host's name with the data folder, in which one server runs at a time, or with the address that it
  /// listens on.
  public var processName: String?
  /// True if channels may lead to private networks and do without TLS.
  public var allowsPrivateTargets = false
  /// The operator's address for push services: mailto: or https:.
  public var contact = "mailto:operator@localhost"
  /// The server's public address, without a slash at the end; nil takes the address that it listens on.
  public var publicURL: URL?
  /// PEM files; both or none.
  public var tls: TLSFiles?
  /// Nil: the server starts no Caddy.
  public var caddy: CaddySettings?
  /// The proxies whose forwarded headers are trusted.
  public var trustedProxies: [AddressBlock] = []
  /// The header in which a trusted proxy names the person it has signed in; nil: no proxy signs anybody in.
  var loginHeader: HTTPField.Name?
  /// True if a person whom the proxy has signed in gets an account if there is none.
  var makesProxyAccounts = false
  /// Nil: no OpenID Connect provider signs anybody in.
  var oidc: OIDCSettings?
  public var logLevel = Logger.Level.info
  /// Fixes older than this are forgotten; nil keeps all.
  public var retentionDays: Int? = 400
  /// The clients that may read `/metrics`.
  public var metrics = MetricsAccess.loopback
  /// The folder of the built page; nil serves the built-in start page.
  public var pageFolder: URL?
  /// The APK of the Android app that is offered for download; nil offers none.
  public var androidApp: URL?
  /// A connection that is silent for this long is closed, and a body that takes longer is refused.
  public var idleTimeoutSeconds = 30
  /// After this, open connections are cut on shutdown.
  public var shutdownSeconds = 5
  /// The most open event streams of one account.
  public var streamsPerAccount = 20
  /// The mean rate of one account's requests to the API; phones' reports are not counted.
  public var requestsPerSecond = 50
  /// For tests of the API on this machine: switches all rate limits off.
  public var liftsRateLimits = false

  /// The phones without a token that are accepted as devices which belong to nobody yet; nil: only if the
  /// server is reachable from this machine alone.
  public var unclaimed: UnclaimedPhones?

  /// A service like Nominatim, asked for places that the imported ones lack; nil asks none.
  public var placesUpstream: URL?
  /// The further origins that the page may load from, for map tiles and a places service, in the notation of
  /// a content security policy.
  public var pageOrigins: [String] = []
  /// True if the page may also load the public maps, once a person has asked for one.
  public var allowsPublicMaps = true
  /// OpenStreetMap's own servers of raster and vector tiles.
  static let publicMaps = ["https://tile.openstreetmap.org", "https://vector.openstreetmap.org"]
  /// All origins that the page's content security policy allows.
  var allowedOrigins: [String] { pageOrigins + (allowsPublicMaps ? Self.publicMaps : []) }

  /// A PEM file of the certificates by which mail servers, channels and APNs are trusted; nil takes the
  /// system's.
  public var trustRoots: String?
  /// The mail server that takes outgoing mail; nil: this server sends no mail.
  public var mail: MailServer?
  /// Nil: no APNs.
  public var apns: APNsAccount?
  /// Nil: no MQTT.
  var broker: Broker?

  public init() {}

  public struct TLSFiles: Equatable, Sendable {
    public let certificateChain: String
    public let privateKey: String
    public init(certificateChain: String, privateKey: String) {
      self.certificateChain = certificateChain
      self.privateKey = privateKey
    }
  }

  public enum UnclaimedPhones: String, CaseIterable, Sendable { case allow, refuse }

  /// True if a phone without a known identity may report.
  public var takesUnclaimedPhones: Bool {
    switch unclaimed {
    case .allow?: true
    case .refuse?: false
    case nil: Self.isLoopback(host) && publicURL.map { Self.isLoopback($0.host() ?? "") } ?? true
    }
  }

  static func isLoopback(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return bare == "localhost" || AddressBlock.loopback.contains { $0.contains(bare) }
  }

  public enum MetricsAccess: Equatable, Sendable {
    case nobody
    case loopback
    /// Clients with this Bearer token.
    case token(String)
    case everybody
  }

  /// The largest bodies: JSON, and the two kinds of files.
  static let maximumJSONBytes = 1 << 20
  static let maximumImportBytes = 64 << 20
  static let maximumSoundBytes = 4 << 20
  /// The limit of the names and values of all header fields together.
  static let maximumHeaderBytes = 16 << 10
  static let maximumAddressBytes = 8 << 10

  var leaseOwner: String {
    let place = database == nil ? dataFolder?.standardizedFileURL.path ?? "" : "\(host):\(port)"
    return processName ?? "\(ProcessInfo.processInfo.hostName) \(place)"
  }

  /// True if other processes may work on the same store: always for a database; for a file only if this
  /// process was given a name.
  var sharesStore: Bool { database != nil || processName != nil }

  /// True if people reach the server over HTTPS, so that cookies must not be sent without it.
  var isSecure: Bool { publicURL.map { $0.scheme == "https" } ?? (tls != nil) }
}
