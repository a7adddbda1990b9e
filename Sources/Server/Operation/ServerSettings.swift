import AlarmEngine
import Delivery
import Foundation
import HTTPTypes
import Logging

/// How a server is run. Made by `ServerSettings.Reader` from flags, environment and file.
public struct ServerSettings: Sendable {
  public var host = "127.0.0.1"
  /// 0 takes any free one.
  public var port = 8080
  /// Where `proximity.sqlite` lies; nil for a store that is elsewhere.
  public var dataFolder: URL?
  /// The PostgreSQL database in which the data lies; nil for the file in the data folder. It may hold a password.
  public var database: String?
  /// Tells processes that work on one store apart; one that is started again has the name it had. Nil takes the host's
  /// name and the data folder, in which one server runs at a time, or where it listens.
  public var processName: String?
  /// Whether channels may lead to private networks and without TLS.
  public var allowsPrivateTargets = false
  /// Of the operator, for push services: mailto: or https:.
  public var contact = "mailto:operator@localhost"
  /// Where people reach it, without a slash at the end; nil takes what it listens on.
  public var publicURL: URL?
  /// PEM files; both or none.
  public var tls: TLSFiles?
  /// Nil: the server starts no Caddy.
  public var caddy: CaddySettings?
  /// Whose forwarded headers are believed.
  public var trustedProxies: [AddressBlock] = []
  /// The header in which a trusted proxy says whom it has signed in; nil: no proxy signs anybody in.
  var loginHeader: HTTPField.Name?
  /// Whether somebody whom the proxy has signed in and who has no account gets one.
  var makesProxyAccounts = false
  /// Nil: no OpenID Connect provider signs anybody in.
  var oidc: OIDCSettings?
  public var logLevel = Logger.Level.info
  /// Fixes older than this are forgotten; nil keeps all.
  public var retentionDays: Int? = 400
  /// Who may read `/metrics`.
  public var metrics = MetricsAccess.loopback
  /// Where the built page lies; nil serves the built-in start page.
  public var pageFolder: URL?
  /// A connection that says nothing for so long is closed, and a body that takes longer is refused.
  public var idleTimeoutSeconds = 30
  /// After this, open connections are cut on shutdown.
  public var shutdownSeconds = 5
  /// Open event streams of one account.
  public var streamsPerAccount = 20
  /// Requests of one account, in the long run; the API's, not the phones' reports.
  public var requestsPerSecond = 50
  /// For tests of the API on this machine: nothing is limited in how often it may be done.
  public var liftsRateLimits = false

  /// Whether phones that show no token are taken as devices that belong to nobody yet; nil: only where the server is
  /// reached from this machine alone.
  public var unclaimed: UnclaimedPhones?

  /// A service like Nominatim that is asked for places where the imported ones do not have them; nil asks nobody.
  public var placesUpstream: URL?
  /// Besides itself, what the page may ask: origins of map tiles and of a places service, as a policy writes them.
  public var pageOrigins: [String] = []
  /// Whether the page may also load the public maps, once a person has asked for one.
  public var allowsPublicMaps = true
  /// OpenStreetMap's own servers, of pictures and of vector tiles.
  static let publicMaps = ["https://tile.openstreetmap.org", "https://vector.openstreetmap.org"]
  /// All that the page's policy lets it load from.
  var allowedOrigins: [String] { pageOrigins + (allowsPublicMaps ? Self.publicMaps : []) }

  /// A PEM file of the certificates that mail servers, channels and APNs are trusted by; nil takes the system's.
  public var trustRoots: String?
  /// Where mail is handed in; nil: no mail leaves this server.
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

  /// Whether a phone that nobody knows may report.
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
    /// Whoever shows this as a Bearer token.
    case token(String)
    case everybody
  }

  /// Of bodies that are JSON and of those that are files.
  static let maximumJSONBytes = 1 << 20
  static let maximumImportBytes = 64 << 20
  static let maximumSoundBytes = 4 << 20
  /// Names and values of all header fields together.
  static let maximumHeaderBytes = 16 << 10
  static let maximumAddressBytes = 8 << 10

  var leaseOwner: String {
    let place = database == nil ? dataFolder?.standardizedFileURL.path ?? "" : "\(host):\(port)"
    return processName ?? "\(ProcessInfo.processInfo.hostName) \(place)"
  }

  /// Whether other processes may work on the same store: a file has one, unless it was given a name among others.
  var sharesStore: Bool { database != nil || processName != nil }

  /// Whether people reach the server over HTTPS, so that cookies must not travel otherwise.
  var isSecure: Bool { publicURL.map { $0.scheme == "https" } ?? (tls != nil) }
}
