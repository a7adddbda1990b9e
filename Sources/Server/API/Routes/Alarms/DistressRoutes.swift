import AlarmEngine
import AlarmService
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Store

/// The SOS button of the page and of the apps that show it.
enum DistressRoutes {
  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/sos", name: "raiseSOS",
      summary: "Raises an SOS alarm, which the account's channels tell until somebody stops it",
      handler: .account(raise),
      body: .json(
        .object([
          .allowed(
            "latitude", .number(-90...90), "Degrees (WGS 84). Without a place the alarm is told all the same."
          ),
          .allowed("longitude", .number(-180...180), "Degrees (WGS 84)."),
        ])),
      answers: [
        .json(.named(.alarm), "The alarm; the one that rings already, if there is one.", status: .created)
      ])
  ]

  /// A device of its own, which has the person's name and watches no zone: whoever is told of its alarm reads
  /// the name first, and the place of a call for help rings no zone.
  static func device(of account: Account, _ call: Call) async throws -> Device {
    let name = account.name.isEmpty ? account.login : account.name
    return try await call.store.device(
      identifiedBy: DeviceIdentity(.own, "sos", of: account.id),
      makingOne: Device(account: account.id, name: name, isArmed: false, createdAt: call.now),
      unclaimedLimit: PhoneIdentification.unclaimedAtMost)
  }

  private static func raise(_ call: Call, _ signed: Signed) async throws -> Response {
    let account = try await call.store.account(signed.account)
    guard !account.isPrivate else { throw StoreError.privateAccount }
    let device = try await device(of: account, call)
    var press = PhoneTold(at: call.now)
    press.isDistress = true
    switch (call.json["latitude"]?.double, call.json["longitude"]?.double) {
    case (let latitude?, let longitude?):
      press.position = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    case (nil, nil): break
    default: throw Problem.invalid("", "latitude and longitude are given together or not at all")
    }
    var report = DeviceReport(device: device.id, fixes: [])
    report.told = [press]
    let outcome = try await call.parts.alarms.ingest.submit(.report(report))
    guard let alarm = outcome.open.last(where: \.isDistress) else { throw Problem.notFound }
    return .json(.object(AlarmRoutes.members(of: alarm)), status: .created)
  }
}
