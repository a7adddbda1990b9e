import AlarmEngine
import Cryptography
import Foundation
import Logging
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Settings of the server")
struct ServerSettingsTests {
  private func settings(
    flags: [ServerSettings.Key: String] = [:], environment: [String: String] = [:], file: String? = nil
  ) throws -> ServerSettings {
    var values = ServerSettings.Values()
    values.add(flags: flags)
    try values.add(environment: environment)
    if let file { try values.add(file: Array(file.utf8), name: "settings.json") }
    return try ServerSettings(values)
  }

  private func refusal(
    flags: [ServerSettings.Key: String] = [:], environment: [String: String] = [:], file: String? = nil
  ) -> String {
    do { _ = try settings(flags: flags, environment: environment, file: file) } catch { return "\(error)" }
    return "none"
  }

  @Test func `a flag counts before the environment, and that before the file`() throws {
    let environment = ["PROXIMITY_LISTEN": "[::1]:1", "PROXIMITY_LOG_LEVEL": "debug", "HOME": "/"]
    let file =
      #"{"listen":"h:2","log_level":"error","retention_days":7,"trusted_proxy":["10.0.0.0/8","::1"]}"#
    let all = try settings(flags: [.listen: "h:3"], environment: environment, file: file)
    #expect(all.host == "h" && all.port == 3)
    #expect(all.logLevel == .debug)
    #expect(all.retentionDays == 7)
    #expect(all.trustedProxies.count == 2)
    let fewer = try settings(environment: environment, file: file)
    #expect(fewer.host == "::1" && fewer.port == 1)
    #expect(fewer.placesUpstream == nil)
    #expect(
      try settings(flags: [.placesUpstream: "https://a.example/n/"]).placesUpstream?.absoluteString
        == "https://a.example/n/")
    #expect(try settings(flags: [.retentionDays: "all"]).retentionDays == nil)
  }

  @Test func `what cannot be used is named with its source and what is allowed`() {
    #expect(
      refusal(flags: [.listen: "8080"])
        == "--listen: 8080 found, an address and a port such as 127.0.0.1:8080 or [::1]:8080 allowed")
    #expect(refusal(flags: [.listen: "h:65536"]).contains("h:65536"))
    #expect(refusal(flags: [.listen: "::1:80"]).contains("::1:80"))
    #expect(
      refusal(environment: ["PROXIMITY_LISTNE": "x"]).hasPrefix("environment: PROXIMITY_LISTNE is no setting")
    )
    #expect(
      refusal(environment: ["PROXIMITY_RETENTION_DAYS": "0"]).hasPrefix("PROXIMITY_RETENTION_DAYS: 0 found"))
    #expect(refusal(file: "{").hasPrefix("settings.json, line 1"))
    #expect(refusal(file: "[]") == "settings.json: an array found, an object of settings allowed")
    #expect(refusal(file: #"{"colour":"red"}"#).hasPrefix("settings.json: colour is no setting"))
    #expect(refusal(file: #"{"retention_days":true}"#).contains("true or false"))
    #expect(refusal(flags: [.tlsKey: "k"]).hasPrefix("tls_certificate"))
    #expect(refusal(flags: [.tlsCertificate: "k"]).hasPrefix("tls_key"))
    #if !TLS
      #expect(
        refusal(flags: [.tlsCertificate: "c", .tlsKey: "k"])
          == "--tls-certificate: c found, HTTPS by --domain or a proxy in front (this program is built without TLS) allowed"
      )
    #endif
    #expect(refusal(flags: [.publicURL: "https://a.example/path"]).contains("no path"))
    #expect(refusal(flags: [.trustedProxy: "10.0.0.0/33"]).contains("10.0.0.0/33"))
    #expect(refusal(flags: [.loginHeader: "Remote-User"]).hasPrefix("trusted_proxy: nothing found"))
    for text in ["Cookie", "x-forwarded-for", "Remote User", ""] {
      let refusal = refusal(flags: [.trustedProxy: "10.0.0.1", .loginHeader: text])
      #expect(refusal.hasPrefix("--login-header: \(text) found"))
    }
    #expect(refusal(flags: [.proxyAccounts: "all"]).contains("existing, new"))
    #expect(refusal(flags: [.logLevel: "loud"]).contains("trace, debug"))
    for text in ["nominatim", "ftp://a.example", "https://a.example/?q=1"] {
      #expect(refusal(flags: [.placesUpstream: text]).hasPrefix("--places-upstream: \(text) found"))
    }
    for text in [
      "tiles.example", "http://tiles.example", "https://a.example/x", "https://*", "https://a;b",
      "https://a 'self'",
    ] {
      #expect(refusal(flags: [.pageOrigins: text]).hasPrefix("--page-origins: \(text) found"))
    }
    let secret = refusal(flags: [.metrics: "token:short"])
    #expect(!secret.contains("short") && secret.contains("16 characters"))
  }

  @Test func `a provider is set by its address and our name there`() throws {
    #expect(try settings().oidc == nil)
    let given: [ServerSettings.Key: String] = [
      .oidcIssuer: "https://login.example.org/realms/club", .oidcClient: "alarm",
    ]
    let least = try #require(try settings(flags: given).oidc)
    #expect(least.issuer == "https://login.example.org/realms/club" && least.client == "alarm")
    #expect(least.secret == nil && least.name == "login.example.org" && !least.makesAccounts)
    #expect(least.loginClaim == nil)
    let more: [ServerSettings.Key: String] = [
      .oidcName: "Our club", .oidcAccounts: "all", .oidcLoginClaim: "email",
    ]
    let all = try #require(try settings(flags: given.merging(more) { $1 }).oidc)
    #expect(all.name == "Our club" && all.makesAccounts && all.loginClaim == "email")
    for text in [
      "http://login.example.org", "login.example.org", "https://a.example/?b", "ftp://a", "https://",
    ] {
      let words = refusal(flags: [.oidcIssuer: text, .oidcClient: "alarm"])
      #expect(
        words == "--oidc-issuer: \(text) found, https:// and a host, or http:// on this machine allowed")
    }
    for (key, text, words) in [
      (ServerSettings.Key.oidcClient, "", "1 to 200 bytes"), (.oidcName, "", "1 to 60 characters"),
      (.oidcAccounts, "new", "existing, all"), (.oidcLoginClaim, "", "a claim's name"),
      (.oidcSecretFile, "/nowhere", "a file that can be read"),
    ] {
      #expect(refusal(flags: given.merging([key: text]) { $1 }).contains(words), "\(key)")
    }
    #expect(
      refusal(flags: [.oidcName: "Our club"]).hasPrefix("--oidc-name is set and oidc_issuer is not"))
  }

  @Test func `the page may ask the origins that are named, for tiles and places, and no other`() throws {
    let named = try settings(flags: [.pageOrigins: "https://*.tiles.example/, http://localhost:8088"])
      .pageOrigins
    #expect(named == ["https://*.tiles.example", "http://localhost:8088"])
    let policy = EdgeMiddleware.contentSecurityPolicy(pageOrigins: named)
    for kind in ["img-src 'self' data: blob:", "connect-src 'self' blob:"] {
      #expect(policy.contains("\(kind) https://*.tiles.example http://localhost:8088;"))
    }
    #expect(
      EdgeMiddleware.contentSecurityPolicy(pageOrigins: []).contains("connect-src 'self' blob:;"))
    #expect(
      EdgeMiddleware.packWorkerPolicy(pageOrigins: named)
        == "default-src 'none'; connect-src 'self' https: https://*.tiles.example http://localhost:8088")
    #expect(try settings(flags: [:]).allowedOrigins.contains("https://tile.openstreetmap.org"))
    #expect(try settings(flags: [.publicMaps: "refuse"]).allowedOrigins.isEmpty)
    #expect(refusal(flags: [.publicMaps: "no"]).hasPrefix("--public-maps: no found"))
  }

  @Test func `a mail server is set by flags and environment, its password by a file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "password")
    try Data("Schlüssel\r\nsecond line\n".utf8).write(to: file)
    #expect(try settings().mail == nil)
    let all = try settings(
      flags: [.smtpHost: "mail.example.org", .smtpPasswordFile: file.path],
      environment: [
        "PROXIMITY_SMTP_USER": "alarm", "PROXIMITY_SMTP_SENDER": "alarm@example.org",
        "PROXIMITY_SMTP_SECURITY": "implicit",
      ])
    let mail = try #require(all.mail)
    #expect(mail.host == "mail.example.org" && mail.port == 465 && mail.security == .implicit)
    #expect(mail.user == "alarm" && mail.password.revealed == "Schlüssel")
    #expect(mail.sender.text == "alarm@example.org")
    let secret = refusal(
      flags: [.smtpHost: "h", .smtpPasswordFile: file.path],
      environment: ["PROXIMITY_SMTP_PASSWORD": "hush-hush"])
    #expect(secret.contains("one of both") && !secret.contains("hush"))
    try Data([0xff, 0xfe]).write(to: file)
    #expect(
      refusal(flags: [.smtpHost: "h", .smtpPasswordFile: file.path]).contains("first line is the password"))
  }

  @Test func `Apple's key is read, and everything beside it checked`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString).p8")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(P256.PrivateKey().pem.utf8).write(to: file)
    let good: [ServerSettings.Key: String] = [
      .apnsKeyFile: file.path, .apnsKeyID: "ABC123DEFG", .apnsTeamID: "TEAM567890",
      .apnsTopic: "org.example.app", .apnsHost: "https://127.0.0.1:8443",
    ]
    let apns = try #require(try settings(flags: good).apns)
    #expect(apns.topic == "org.example.app" && apns.host == "https://127.0.0.1:8443")
    let wrong: [(ServerSettings.Key, String)] = [
      (.apnsKeyFile, "/nonexistent"), (.apnsKeyID, "abc"), (.apnsTeamID, ""), (.apnsTopic, "a b"),
      (.apnsHost, "http://127.0.0.1"), (.apnsHost, "https://127.0.0.1/path"), (.apnsHost, "nonsense"),
    ]
    for (key, text) in wrong {
      let words = refusal(flags: good.merging([key: text]) { $1 })
      #expect(words.hasPrefix("--\(key.rawValue.replacing("_", with: "-")): \(text) found"), "\(words)")
    }
  }

  @Test func `a block of addresses holds what its prefix says`() throws {
    let block = try #require(AddressBlock("10.32.0.0/11"))
    #expect(
      block.contains("10.32.0.1") && block.contains("10.63.255.255") && block.contains("::ffff:10.33.0.1"))
    #expect(!block.contains("10.64.0.0") && !block.contains("nonsense") && !block.contains("::1"))
    let six = try #require(AddressBlock("2001:db8::/32"))
    #expect(six.contains("2001:db8:1::1") && !six.contains("2001:db9::1"))
    for text in ["", "10.0.0", "10.0.0.0/", "10.0.0.0/-1", "::1/129", "a.example"] {
      #expect(AddressBlock(text) == nil, "\(text)")
    }
  }

  @Test func `limits are lifted on a loopback address only`() throws {
    for host in ["127.0.0.1:0", "[::1]:0", "localhost:0"] {
      #expect(try settings(flags: [.rateLimits: "off", .listen: host]).liftsRateLimits)
    }
    #expect(try settings(flags: [.rateLimits: "off"]).liftsRateLimits)
    #expect(try !settings(flags: [.rateLimits: "on", .listen: "0.0.0.0:1"]).liftsRateLimits)
    for flags: [ServerSettings.Key: String] in [
      [.listen: "0.0.0.0:1"], [.listen: "192.168.1.2:1"], [.listen: "[::]:1"], [.listen: "alarm.example:1"],
      [.publicURL: "https://alarm.example"], [.trustedProxy: "127.0.0.1"],
    ] {
      let words = refusal(flags: flags.merging([.rateLimits: "off"]) { $1 })
      #expect(words.hasPrefix("--rate-limits: off found, off only for a server"), "\(words)")
    }
    #expect(refusal(flags: [.rateLimits: "none"]) == "--rate-limits: none found, on, off allowed")
    let lifted = RateLimiter(RateLimit(burst: 1, refill: .hours(1)), isLifted: true)
    for _ in 0..<100 { #expect(lifted.take("a", at: TestServer.start) == nil) }
  }
}
