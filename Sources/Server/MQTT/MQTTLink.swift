import AlarmEngine
import AlarmService
import Logging
import MQTTClient
import ServiceLifecycle
import Store

/// Keeps the connection to the operator's MQTT broker.
///
/// One of the processes on a database has the connection, by a role in the store. All connect with the same
/// client ID, so the broker keeps one session for them: the process that takes the role over receives the
/// messages that were not acknowledged, and the broker closes the connection of a suspended process that has
/// lost the role without noticing.
final class MQTTLink: Service, Sendable {
  /// A process that has not renewed the role for this long has lost it.
  static let roleSpan = TimeSpan.seconds(15)
  static let renewal = Duration.seconds(5)
  private static let role = "mqtt"

  private let core: ServerCore
  private let outbox: OutboxWorker
  private let status: MQTTStatus
  private let connector: MQTTConnector
  private let clientID: String
  /// The first level of the topics that the server publishes.
  private let root: String
  private let intake: MQTTIntake
  /// The outlet publishes alarms, the mirror the retained states.
  private let outlet: BrokerOutlet
  private let mirror: MQTTMirror

  /// - Throws: `MQTTFailure.unusable` where the certificates to be trusted cannot be used.
  init(
    _ core: ServerCore, _ alarms: AlarmParts, _ status: MQTTStatus, _ broker: ServerSettings.Broker,
    clientID: String, outlet: BrokerOutlet
  ) throws(MQTTFailure) {
    self.core = core
    outbox = alarms.outbox
    self.status = status
    self.clientID = clientID
    root = broker.root
    connector = try MQTTConnector(broker.address, trustRoots: core.settings.trustRoots)
    intake = MQTTIntake(core: core, alarms: alarms, status: status)
    self.outlet = outlet
    mirror = MQTTMirror(core, alarms.services, status, root: broker.root)
  }

  /// The name of the broker's session: the same for all processes of a store, and for no other's.
  static func clientID(of store: SQLStore) async throws(StoreError) -> String {
    let number = try await store.serverValue("mqtt-client", orElse: Secrets.randomBytes())
    let digits = number.prefix(8).map { byte in String(byte / 16, radix: 16) + String(byte % 16, radix: 16) }
    // At most 23 letters and digits, which every broker takes.
    return "prox" + digits.joined()
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      var failures = 0
      while !Task.isCancelled {
        guard await hasRole() else {
          status.become(.standby)
          try? await Task.sleep(for: Self.renewal)
          continue
        }
        let began = ContinuousClock.now
        let failure = await connection()
        // Another process may have more success.
        try? await core.store.leaveRole(Self.role, by: core.settings.leaseOwner)
        guard !Task.isCancelled else { break }
        failures = ContinuousClock.now - began > .seconds(60) ? 0 : failures + 1
        say(failure)
        let most = min(60, 1 << min(failures, 6))
        try? await Task.sleep(for: .milliseconds(Int.random(in: most * 500...most * 1000)))
      }
    }
    try? await core.store.leaveRole(Self.role, by: core.settings.leaseOwner)
  }

  /// Connects, and stays until the connection or the role is lost.
  private func connection() async -> MQTTFailure {
    status.become(.connecting)
    return await withTaskGroup(of: MQTTFailure?.self) { group in
      group.addTask { [self] in
        do throws(MQTTFailure) {
          let will = (topic: HomeAssistantDiscovery.status(root), payload: Array("offline".utf8))
          try await connector.run(
            as: MQTTIdentity(clientID: clientID, isPersistent: true, will: will),
            opened: { [self] session throws(MQTTFailure) in try await opened(session) },
            taking: { [intake, mirror] event, session in
              if case .message(let message) = event, mirror.take(message) { return true }
              return await intake.take(event, session)
            })
          return nil
        } catch { return error }
      }
      group.addTask { [self] in
        await keepRole()
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? .connectionLost
    }
  }

  /// Returns when the connection ends.
  private func opened(_ session: MQTTSession) async throws(MQTTFailure) {
    try await session.subscribe(OwnTracksTopic.filters)
    try await session.publish(HomeAssistantDiscovery.status(root), Array("online".utf8), isRetained: true)
    status.become(.connected(since: core.clock.now()))
    core.logger.notice(
      "connected to the MQTT broker",
      metadata: [
        "broker": "\(connector.address.description)", "session": session.isResumed ? "resumed" : "new",
      ])
    outlet.open(session)
    defer { outlet.close(session) }
    // Sends the notifications that waited for the connection.
    outbox.wake()
    try await mirror.run(session)
  }

  private func say(_ failure: MQTTFailure) {
    let before = status.state
    if case .away(_, failure.description) = before { return }
    status.become(.away(since: core.clock.now(), reason: failure.description))
    core.logger.warning(
      "no connection to the MQTT broker",
      metadata: ["broker": "\(connector.address.description)", "reason": "\(failure)"])
  }

  private func hasRole() async -> Bool {
    do {
      return try await core.store.takeRole(
        Self.role, by: core.settings.leaseOwner, for: Self.roleSpan, at: core.clock.now())
    } catch {
      if !Task.isCancelled { core.logger.error("MQTT", metadata: ["error": "\(error)"]) }
      return false
    }
  }

  /// Returns when the role is lost.
  private func keepRole() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.renewal)
      guard await hasRole() else { return }
    }
  }
}
