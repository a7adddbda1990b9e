import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Sets up a phone's app to report to this server in one tap, by a link to open or to show as a QR code.
enum OnboardingRoutes {
  enum App: String, CaseIterable {
    case proximity, owntracks, overland, traccar, osmand, gpslogger
  }

  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/devices/{device}/setup/{app}", name: "setUpApp",
      summary:
        """
        Creates a token of the device, in the form that an app takes: proximity, owntracks, overland, traccar, osmand \
        or gpslogger
        """,
      handler: .account(setUp),
      answers: [
        .json(
          .object([
            .needed("token_id", .id, "Id for revoking the token."),
            .needed("link", .text(1...20_000), "Link to open on the phone, or to show as a QR code."),
            .needed("body", .optional(.text(0...2000)), "GPSLogger's body template."),
            .needed(
              "file", .optional(.text(0...20_000)),
              "OwnTracks' `.otrc` file, for phones that do not allow links."),
          ]), "The token in the app's form, returned only here.", status: .created)
      ])
  ]

  private static func setUp(_ call: Call, _ signed: Signed) async throws -> Response {
    let app = try call.word("app", App.self)
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
    guard try await call.store.tokens(of: signed.account).count < TokenRoutes.maximumTokens else {
      throw StoreError.tooMany(allowed: TokenRoutes.maximumTokens)
    }
    let secret = Secrets.random()
    let token = DeviceToken(
      account: signed.account, device: device.id, hash: Secrets.hash(secret),
      name: "\(app.rawValue) on \(device.name)".excerpt(200), createdAt: call.now)
    try await call.store.create(token)
    let base = call.parts.core.baseURL ?? call.origin.text
    let name = device.id.description
    var (body, file) = (JSONValue.null, JSONValue.null)
    let link: String
    switch app {
    // Our own app reads the address to report to from a pasted link; a browser sends the server only "/".
    case .proximity: link = "\(base)/#report=\(secret)"
    case .owntracks:
      let letters = device.trackerID.isEmpty ? String(device.name.prefix(2)) : device.trackerID
      var configuration = OwnTracksConfiguration(
        url: "\(base)/pub", user: signed.login, password: secret, device: name, trackerID: letters)
      configuration.encryptionKey = device.passphrase
      let settings = try? JSONValue.parse(
        Array(try await call.store.settings(of: signed.account).json.utf8))
      if let metres = settings?["distance_filter_m"]?.double {
        configuration.locatorDisplacement = Int(metres.rounded())
      }
      if let seconds = settings?["close_region_timeout_s"]?.double {
        configuration.ping = max(15, Int((seconds / 60).rounded()))
      }
      link = configuration.link
      file = .string(String(decoding: configuration.file, as: UTF8.self))
    case .overland: link = PhoneSetup.overland(url: "\(base)/overland", token: secret, device: name)
    // Traccar sends no credentials: its identifier is the secret.
    case .traccar: link = PhoneSetup.traccar(url: "\(base)/traccar", device: secret)
    case .osmand: link = PhoneSetup.osmand(url: "\(base)/osmand", token: secret, device: name)
    case .gpslogger:
      let template = PhoneSetup.gpslogger(url: "\(base)/gpslogger", token: secret)
      (link, body) = (template.url, .string(template.body))
    }
    return .json(
      .object([
        ("token_id", .string(token.id.description)), ("link", .string(link)), ("body", body), ("file", file),
      ]), status: .created)
  }
}
