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
    abstract: "Takes fixes from phones, and brings alarms to people.",
    discussion: """
      Every setting can also stand in the environment (PROXIMITY_TLS_KEY for --tls-key) or in a JSON file \
      ({"tls_key": "..."}) named by --config. A flag counts before the environment, and that before the file.

      While there is no account, the start prints a link that makes the first one. SIGTERM and SIGINT end the \
      server in good order.
      """)

  @Option(help: ArgumentHelp("A JSON file of settings.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Where to listen; port 0 takes any free one. 127.0.0.1:8080 if left out.", valueName: "address:port"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "Where the data lies; made if it is not there. proximity-data if left out.", valueName: "folder"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      A PostgreSQL database that holds the data: postgres://user:password@host/name. Any number of servers may use it; \
      places and maps stay in --data.
      """, valueName: "url"))
  var database: String?

  @Option(help: ArgumentHelp("Where people reach the server: https://alarm.example.org", valueName: "url"))
  var publicUrl: String?

  @Option(
    help: ArgumentHelp(
      """
      The name at which people reach the server by HTTPS. Starts an installed Caddy, which gets the certificate; for \
      localhost and for names in .local and .internal, Caddy issues one itself. Implies --public-url and --trusted-proxy.
      """, valueName: "name"))
  var domain: String?

  @Option(help: ArgumentHelp("With --domain, the port for HTTPS. 443 if left out.", valueName: "port"))
  var httpsPort: String?

  @Option(
    help: ArgumentHelp(
      "With --domain, the port for HTTP, which redirects to HTTPS. 80 if left out.", valueName: "port"))
  var httpPort: String?

  @Option(
    help: ArgumentHelp(
      "Certificates, PEM; with --tls-key the server speaks HTTPS and HTTP/2, where it is built with TLS.",
      valueName: "file"))
  var tlsCertificate: String?

  @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
  var tlsKey: String?

  @Option(
    help: ArgumentHelp("Whose X-Forwarded headers are believed; may be repeated.", valueName: "address"))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The header in which a trusted proxy says whom it has signed in, such as Remote-User.",
      valueName: "name"))
  var loginHeader: String?

  @Option(
    help: ArgumentHelp(
      "existing: whom the proxy has signed in needs an account here; new: gets one.", valueName: "which"))
  var proxyAccounts: String?

  @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
  var logLevel: String?

  @Option(
    help: ArgumentHelp(
      """
      Of several processes on one database, each has its own, and keeps it when it is started again. The host's name and \
      the data folder if left out.
      """, valueName: "name"))
  var processName: String?

  @Option(
    help: ArgumentHelp(
      "Fixes and ended alarms are forgotten after so many days, or kept: all. 400 if left out.",
      valueName: "days"))
  var retentionDays: String?

  @Option(
    help: ArgumentHelp("Who may read /metrics: nobody, loopback, everybody or token:TOKEN.", valueName: "who")
  )
  var metrics: String?

  @Option(
    help: ArgumentHelp(
      "The built page. If left out, the one that `make page` has built beside this program, or else a plain one.",
      valueName: "folder"))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "The operator's address, for push services: mailto:... or https://...", valueName: "url"))
  var contact: String?

  @Option(
    help: ArgumentHelp("Channels to private networks and without TLS: allow or refuse.", valueName: "word"))
  var privateTargets: String?

  @Option(
    help: ArgumentHelp(
      """
      Phones that show no token of ours, as devices that belong to nobody until one claims them: allow or refuse. \
      refuse if left out, unless only this machine reaches the server.
      """, valueName: "word"))
  var unclaimed: String?

  @Option(help: ArgumentHelp("A silent connection is closed after so long.", valueName: "seconds"))
  var idleTimeoutS: String?

  @Option(
    help: ArgumentHelp("What still runs when the server is told to end has so long.", valueName: "seconds"))
  var shutdownTimeoutS: String?

  @Option(help: ArgumentHelp("Event streams that one account may have open.", valueName: "number"))
  var streamsPerAccount: String?

  @Option(help: ArgumentHelp("Requests of one account to the API, in the long run.", valueName: "number"))
  var requestsPerSecond: String?

  @Option(
    help: ArgumentHelp(
      "off: nothing is limited in how often it may be done. For tests, on a loopback address only.",
      valueName: "word"))
  var rateLimits: String?

  @Option(
    help: ArgumentHelp(
      "A service like Nominatim, asked for places that have not been imported; people's searches go there.",
      valueName: "url"))
  var placesUpstream: String?

  @Option(
    help: ArgumentHelp(
      "Origins that the page may ask, for map tiles, places and pictures that people set: https://tiles.example",
      valueName: "origins"))
  var pageOrigins: String?

  @Option(
    help: ArgumentHelp(
      """
      Whether the page may load OpenStreetMap's own map where this server has none, if a person asks for it: allow or \
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
      (.metrics, metrics), (.page, page),
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
              "its certificate is signed by Caddy itself; browsers and phones trust it once they have installed "
                + printable("\(folder.path)/\(CaddySettings.rootCertificate)"))
          }
        }
        console.complain(
          settings.takesUnclaimedPhones
            ? "phones that show no token are taken as devices that belong to nobody (--unclaimed)"
            : "phones that show no token are refused (--unclaimed allow takes them)")
        console.complain(page ?? "no page has been built (`make page`); a plain one is served instead")
        if let setUpLink { console.complain("no account yet; make the first one here: \(setUpLink)") }
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
