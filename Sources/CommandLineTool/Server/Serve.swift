import AlarmService
import ArgumentParser
import CommandLineSupport
import Delivery
import Formats
import Foundation
import Server
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// Runs the server.
struct Serve: WaitingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the server, which receives positions from phones and delivers alarms.",
    discussion: """
      Every option can also be set in the environment (PROXIMITY_TLS_KEY for --tls-key) or in a JSON file \
      ({"tls_key": "..."}) named by --config. Options override the environment, which overrides the file.

      While there is no account, the server prints a link for creating the first one when it starts. SIGTERM and SIGINT \
      shut it down cleanly.
      """)

  @Option(help: ArgumentHelp("A JSON file of settings.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Address and port to listen on; port 0 takes any free one. Default: 127.0.0.1:8080.",
      valueName: "address:port"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "The data folder, created if missing. Default: proximity-data.", valueName: "folder"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      A PostgreSQL database for the data: postgres://user:password@host/name. Several servers may share it; places and \
      maps stay in --data.
      """, valueName: "url"))
  var database: String?

  @Option(
    help: ArgumentHelp("The server's public address, such as https://alarm.example.org.", valueName: "url"))
  var publicUrl: String?

  @Option(
    help: ArgumentHelp(
      """
      The server's public host name for HTTPS. Starts an installed Caddy, which obtains the certificate; for localhost \
      and names in .local and .internal, Caddy issues one itself. Implies --public-url and --trusted-proxy.
      """, valueName: "name"))
  var domain: String?

  @Option(help: ArgumentHelp("With --domain, the port for HTTPS. Default: 443.", valueName: "port"))
  var httpsPort: String?

  @Option(
    help: ArgumentHelp(
      "With --domain, the port for HTTP, which redirects to HTTPS. Default: 80.", valueName: "port"))
  var httpPort: String?

  @Option(
    help: ArgumentHelp(
      "The certificate chain, PEM; with --tls-key, enables HTTPS and HTTP/2 in builds with TLS.",
      valueName: "file"))
  var tlsCertificate: String?

  @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Address of a proxy whose X-Forwarded headers are trusted. May be repeated.", valueName: "address"))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The header in which a trusted proxy sends the login of the signed-in user, such as Remote-User.",
      valueName: "name"))
  var loginHeader: String?

  @Option(
    help: ArgumentHelp(
      "Accounts of users signed in by the proxy: existing (they need one here) or new (created if missing).",
      valueName: "which"))
  var proxyAccounts: String?

  @Option(
    help: ArgumentHelp(
      "Least severe level to log: trace, debug, info, notice, warning, error or critical.", valueName: "level"
    ))
  var logLevel: String?

  @Option(
    help: ArgumentHelp(
      """
      Name of this process, unique among the processes on one database and the same after a restart. Default: the host's \
      name and the data folder.
      """, valueName: "name"))
  var processName: String?

  @Option(
    help: ArgumentHelp(
      "Days after which fixes and ended alarms are deleted; all keeps them. Default: 400.",
      valueName: "days"))
  var retentionDays: String?

  @Option(
    help: ArgumentHelp("Access to /metrics: nobody, loopback, everybody or token:TOKEN.", valueName: "who")
  )
  var metrics: String?

  @Option(
    help: ArgumentHelp(
      "Folder of the built page. Default: the page built by `make page` beside this program, or else a plain one.",
      valueName: "folder"))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "The APK of the Android app, offered to phones at /app.apk with its SHA-256.", valueName: "file"))
  var appApk: String?

  @Option(
    help: ArgumentHelp(
      "The operator's contact address, sent to push services: mailto:... or https://...", valueName: "url"))
  var contact: String?

  @Option(
    help: ArgumentHelp("Channels to private networks or without TLS: allow or refuse.", valueName: "word"))
  var privateTargets: String?

  @Option(
    help: ArgumentHelp(
      """
      Reports of phones without a token, stored as devices that belong to nobody until claimed: allow or refuse. \
      Default: refuse, unless only this machine can reach the server.
      """, valueName: "word"))
  var unclaimed: String?

  @Option(help: ArgumentHelp("Seconds after which an idle connection is closed.", valueName: "seconds"))
  var idleTimeoutS: String?

  @Option(
    help: ArgumentHelp("Seconds to wait for open requests to finish on shutdown.", valueName: "seconds"))
  var shutdownTimeoutS: String?

  @Option(help: ArgumentHelp("Maximum number of open event streams per account.", valueName: "number"))
  var streamsPerAccount: String?

  @Option(help: ArgumentHelp("Maximum mean rate of API requests per account.", valueName: "number"))
  var requestsPerSecond: String?

  @Option(
    help: ArgumentHelp(
      "off disables all rate limits. For tests, on a loopback address only.",
      valueName: "word"))
  var rateLimits: String?

  @Option(
    help: ArgumentHelp(
      "A Nominatim-compatible service for places that are not imported; users' searches are sent to it.",
      valueName: "url"))
  var placesUpstream: String?

  @Option(
    help: ArgumentHelp(
      "Further origins for map tiles, places and pictures that the page may load, such as https://tiles.example.",
      valueName: "origins"))
  var pageOrigins: String?

  @Option(
    help: ArgumentHelp(
      """
      Permission for the page to load OpenStreetMap's own map where this server has none, at a user's request: allow or \
      refuse.
      """, valueName: "word"))
  var publicMaps: String?

  @OptionGroup(title: "Signing in by OpenID Connect") var signIn: ServeSignInOptions

  @OptionGroup(title: "Mail, APNs and MQTT") var channels: ServeChannelOptions

  private var flags: [ServerSettings.Key: String] {
    let own: [(ServerSettings.Key, String?)] = [
      (.listen, listen), (.data, data), (.database, database), (.publicURL, publicUrl),
      (.domain, domain), (.httpsPort, httpsPort), (.httpPort, httpPort),
      (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey),
      (.trustedProxy, trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ",")),
      (.loginHeader, loginHeader), (.proxyAccounts, proxyAccounts),
      (.logLevel, logLevel), (.processName, processName), (.retentionDays, retentionDays),
      (.metrics, metrics), (.page, page), (.androidApp, appApk),
      (.contact, contact), (.privateTargets, privateTargets), (.unclaimed, unclaimed),
      (.idleTimeout, idleTimeoutS),
      (.shutdownTimeout, shutdownTimeoutS), (.streamsPerAccount, streamsPerAccount),
      (.requestsPerSecond, requestsPerSecond), (.rateLimits, rateLimits),
      (.placesUpstream, placesUpstream), (.pageOrigins, pageOrigins),
      (.publicMaps, publicMaps),
    ]
    let all = own + signIn.flags + channels.flags
    return Dictionary(uniqueKeysWithValues: all.compactMap { key, text in text.map { (key, $0) } })
  }

  /// All settings, from all sources.
  func settings(environment: [String: String]) throws -> ServerSettings {
    var values = ServerSettings.Values()
    do {
      values.add(flags: flags)
      try values.add(environment: environment)
      if let config {
        guard let bytes = FileManager.default.contents(atPath: config) else {
          throw UsageError("--config \(printable(config)) cannot be read")
        }
        try values.add(file: Array(bytes), name: config)
      }
      var settings = try ServerSettings(values)
      if settings.dataFolder == nil {
        settings.dataFolder = URL(fileURLWithPath: DataFolder.standard, isDirectory: true)
      }
      if settings.pageFolder == nil {
        settings.pageFolder = Bundle.main.executableURL.flatMap { BuiltPage.folder(of: $0) }
      }
      try settings.caddy?.findProgram(path: environment["PATH"])
      return settings
    } catch let failure as CaddyFailure {
      throw UsageError(failure.description)
    } catch let refusal as ServerSettings.Refusal { throw UsageError(printable(refusal.description)) }
  }

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    Allocator.shareHeaps()
    let settings = try settings(environment: ProcessInfo.processInfo.environment)
    let page = settings.pageFolder.map { "the page is \(printable($0.path))" }
    let folder = DataFolder(settings.dataFolder?.path ?? DataFolder.standard)
    let place = try DataPlace(database: settings.database, folder: folder)
    let lock = try place.lock()
    let store = try await place.open(making: true)
    // From here on nothing else uses the console.
    nonisolated(unsafe) let console = console
    do {
      let server = try await ProximityServer(settings: settings, store: store)
      try await server.run { address, setUpLink in
        console.complain("listening on \(address), data in \(printable(place.description))")
        if let caddy = settings.caddy {
          console.complain("Caddy serves \(settings.publicURL?.absoluteString ?? "") by HTTPS")
          if caddy.isInternal {
            console.complain(
              "its certificate is signed by Caddy itself; to make browsers and phones trust it, install "
                + printable("\(folder.path)/\(CaddySettings.rootCertificate)"))
          }
        }
        console.complain(
          settings.takesUnclaimedPhones
            ? "phones without a token are accepted as devices that belong to nobody (--unclaimed)"
            : "phones without a token are refused (--unclaimed allow accepts them)")
        console.complain(page ?? "no page has been built (`make page`); serving a plain one instead")
        if let setUpLink { console.complain("no account yet; create the first one here: \(setUpLink)") }
      }
    } catch let error as StoreError {
      throw ReadError(error.words)
    } catch let error as CaddyFailure {
      throw UsageError(printable(error.description))
    } catch let error as ConfigurationError {
      throw UsageError(printable(error.description))
    } catch {
      throw UsageError("the server cannot run: \(printable("\(error)"))")
    }
    withExtendedLifetime(lock) {}
    return .ok
  }
}
