import AlarmEngine
import Delivery
import Formats
import Logging
import Store

/// Makes the delivery channel for a channel in the store.
package struct ChannelWays: Sendable {
  package let store: SQLStore
  package let services: DeliveryServices
  package let mail: MailGate
  package let clock: ServerClock
  package let logger: Logger

  package init(
    store: SQLStore, services: DeliveryServices, mail: MailGate, clock: ServerClock, logger: Logger
  ) {
    self.store = store
    self.services = services
    self.mail = mail
    self.clock = clock
    self.logger = logger
  }

  /// - Throws: `.misconfigured` if the settings of the channel or of the operator cannot be used.
  package func way(to channel: Store.Channel) throws(DeliveryFailure) -> any DeliveryChannel {
    let configuration: ChannelConfiguration
    do throws(ConfigurationError) {
      configuration = try ChannelConfiguration(
        kind: channel.kind, json: Array(channel.secrets.utf8), policy: services.http.policy)
    } catch { throw .misconfigured(error.description.excerpt()) }
    if case .mqtt(let target) = configuration { return try way(to: target, of: channel) }
    guard case .homeAssistant(let target) = configuration, target.accessToken != nil else {
      return try services.channel(configuration)
    }
    return HomeAssistantChannel(target: target, http: services.http) { [self] () throws(DeliveryFailure) in
      try await renew(target, of: channel)
    }
  }

  /// The account's topics on the operator's broker.
  private func way(
    to target: MQTTTarget, of channel: Store.Channel
  ) throws(DeliveryFailure) -> any DeliveryChannel {
    guard let outlet = services.mqtt else { throw .misconfigured("this server has no MQTT broker") }
    let (store, account) = (store, channel.account)
    return MQTTChannel(target: target, outlet: outlet) {
      try await store.account(account).login
    } subject: { id in
      guard let alarm = try await found({ try await store.alarm(id, of: account) }),
        let device = try await found({ try await store.device(alarm.device, of: account) })
      else { return nil }
      let name: String =
        switch alarm.subject {
        case .zone(_, let name, _), .missedSignal(_, let name), .companion(_, let name, _): name.string
        case .notArrived(let missing): missing.name.string
        case .silence, .lowBattery, .distress, .missedCheckIn, .unreadable: ""
        }
      return MQTTChannel.Subject(
        device: .init(id: device.id, name: device.name), zone: alarm.zone.map { .init(id: $0, name: name) })
    }
  }

  /// Registers again with a Home Assistant that no longer knows us, and stores the registration.
  private func renew(
    _ target: HomeAssistantTarget, of channel: Store.Channel
  ) async throws(DeliveryFailure) -> HomeAssistantTarget {
    let device = HomeAssistantRegistration.Device(server: channel.id)
    let renewed = target.with(try await HomeAssistantRegistration.register(device, target, services.http))
    await keep(renewed, of: channel)
    return renewed
  }

  /// Stores the answers of Home Assistant in the channel's settings.
  package func keep(_ target: HomeAssistantTarget, of channel: Store.Channel) async {
    var saved = channel
    saved.secrets = target.json.text
    do { try await store.save(saved, over: channel.revision, at: clock.now()) } catch {
      switch error {
      // The channel was edited or removed meanwhile. The next attempt registers again and replaces this
      // registration.
      case .stale, .notFound: break
      default: logger.error("a registration was not kept", metadata: ["error": "\(error)"])
      }
    }
  }
}
