import AlarmEngine
import AlarmService
import Delivery
import Formats
import Geometry
import Logging
import MQTTClient
import NIOConcurrencyHelpers
import Store

/// Keeps the retained messages on the broker equal to the store, for the accounts that have a channel of the
/// kind `mqtt`.
///
/// The broker itself is the memory: it sends the messages retained under our topics when we subscribe.
/// Messages that are missing or different are published; those of a phone or zone that no longer exists are
/// removed, even if it was deleted or renamed while the broker or this server was down.
actor MQTTMirror {
  static let interval = Duration.seconds(5)
  /// The most zones of one account, in the order of their ids: each is a message per phone, and an entity in
  /// Home Assistant.
  static let mostZones = 500
  /// The most messages that await the broker's acknowledgement at the same time.
  private static let atOnce = 32
  /// The most retained topics that are remembered.
  private static let remembered = 200_000
  /// How long the broker may take to send its retained messages.
  private static let patience = Duration.seconds(10)

  private struct Place {
    let zone: Zone
    let outline: Outline
  }
  private struct Places {
    let revision: Revision
    let radius: Distance
    let places: [Place]
  }
  /// The content of the broker, as far as it has sent it or acknowledged it.
  private struct Broker {
    var retained: [String: [UInt8]] = [:]
    /// The payload published after the subscription: once it comes back, all retained messages have arrived.
    var mark: [UInt8] = []
    var hasTold: AsyncStream<Void>.Continuation?
  }

  private let core: ServerCore
  private let services: DeliveryServices
  private let status: MQTTStatus
  private let root: String
  private var places: [AccountID: Places] = [:]
  private let broker = NIOLockedValueBox(Broker())

  init(_ core: ServerCore, _ services: DeliveryServices, _ status: MQTTStatus, root: String) {
    self.core = core
    self.services = services
    self.status = status
    self.root = root
  }

  private nonisolated var markTopic: String { "\(root)/mark" }

  /// Takes a message that the broker sends because of our subscriptions.
  /// - Returns: false for a message of another topic.
  nonisolated func take(_ message: MQTTMessage) -> Bool {
    guard message.topic.hasPrefix("\(root)/") || message.topic.hasPrefix("homeassistant/") else {
      return false
    }
    broker.withLockedValue { broker in
      if message.topic == markTopic, message.payload == broker.mark { broker.hasTold?.finish() }
      // A message that is not retained is our own, published just now.
      guard message.isRetained, !message.payload.isEmpty, isOurs(message),
        broker.retained.count < Self.remembered || broker.retained[message.topic] != nil
      else { return }
      broker.retained[message.topic] = message.payload
    }
    return true
  }

  private nonisolated func isOurs(_ message: MQTTMessage) -> Bool {
    message.topic.hasPrefix("\(root)/")
      ? MQTTPhoneStates.isState(message.topic)
      : HomeAssistantDiscovery.isOurs(message.topic, message.payload, root: root)
  }

  /// Runs until the task is cancelled or the connection is lost.
  func run(_ session: MQTTSession) async throws(MQTTFailure) {
    try await learn(session)
    while !Task.isCancelled {
      do { try await publish(try await wanted(), session) } catch let failure as MQTTFailure {
        throw failure
      } catch {
        // The messages on the broker stay until the store answers again.
        if !Task.isCancelled { core.logger.error("MQTT", metadata: ["error": "\(error)"]) }
      }
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  /// Learns which messages the broker retains.
  private func learn(_ session: MQTTSession) async throws(MQTTFailure) {
    let mark = Secrets.randomBytes()
    let (told, hasTold) = AsyncStream<Void>.makeStream()
    broker.withLockedValue { $0 = Broker(mark: mark, hasTold: hasTold) }
    // One at a time: a broker may refuse one of them, and the number of messages per subscription is bounded.
    for filter in MQTTPhoneStates.filters(root) + [HomeAssistantDiscovery.filter, markTopic] {
      do throws(MQTTFailure) { try await session.subscribe([filter], qos: 0) } catch {
        guard case .subscriptionRefused = error else { throw error }
        core.logger.notice("MQTT", metadata: ["reason": "\(error)"])
      }
    }
    try await session.publish(markTopic, mark)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in told {} }
      // A broker that lets us read nothing never sends the mark: everything is published anew, and nothing
      // stale is removed.
      group.addTask { try? await Task.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
  }

  /// All messages that the broker is to retain: payloads by topic.
  func wanted() async throws -> [String: [UInt8]] {
    var wanted: [String: [UInt8]] = [:]
    let channels = try await core.store.activeChannels(of: .mqtt)
    let accounts = Dictionary(grouping: channels, by: \.account)
    places = places.filter { accounts[$0.key] != nil }
    for (account, channels) in accounts.sorted(by: { $0.key < $1.key }) {
      guard let (record, devices) = try await phones(of: account) else { continue }
      let given = try await core.store.settings(of: account).json
      for device in devices {
        let targets = channels.filter { $0.rule.concerns(device.id) }.compactMap(target)
        guard !targets.isEmpty else { continue }
        let settings = DeviceSettings.settings([given, device.settings])
        let states = MQTTPhoneStates(
          root: root, login: record.login, device: device.id, name: device.name, fix: device.lastFix,
          lastSeen: device.lastReceivedAt, battery: device.status.battery,
          places: presence(of: device, record.login, try await places(of: account, settings), settings),
          sharesPosition: targets.contains { $0.sharesPosition })
        wanted.merge(states.messages) { $1 }
        if targets.contains(where: \.isDiscovered) {
          wanted.merge(HomeAssistantDiscovery(states: states).messages) { $1 }
        }
      }
    }
    return wanted
  }

  /// An account with its devices; nil if it is gone or disabled.
  private nonisolated func phones(of account: AccountID) async throws -> (Account, [Device])? {
    try await found {
      let record = try await core.store.account(account)
      return record.isDisabled ? nil : (record, try await core.store.devices(of: account))
    } ?? nil
  }

  /// Nil if the channel's settings are no longer valid.
  private nonisolated func target(_ channel: Store.Channel) -> MQTTTarget? {
    guard
      case .mqtt(let target)? = try? ChannelConfiguration(
        kind: .mqtt, json: Array(channel.secrets.utf8), policy: services.http.policy)
    else { return nil }
    return target
  }

  private func presence(
    of device: Device, _ login: String, _ places: [Place], _ settings: Settings
  ) -> [MQTTPhoneStates.Place] {
    let base = MQTTPhoneStates.base(root, login, device.id)
    let accuracy: Distance? =
      switch device.lastFix?.accuracy {
      case .radius(let radius): radius
      case .unstated: settings.unstatedAccuracy
      case .invalid, nil: nil
      }
    return places.map { place in
      var state = before(MQTTPhoneStates.topic(of: place.zone.id, below: base))
      if let fix = device.lastFix {
        let distance = place.outline.signedDistance(from: fix.position) + place.zone.inset
        state = MQTTPresence.state(distance, accuracy: accuracy, before: state)
      }
      return MQTTPhoneStates.Place(id: place.zone.id, name: place.zone.name.string, presence: state)
    }
  }

  /// The state of a phone in a zone that the broker retains.
  private nonisolated func before(_ topic: String) -> MQTTPresence.State {
    guard let there = broker.withLockedValue({ $0.retained[topic] }),
      let word = (try? JSONValue.parse(there))?["state"]?.string
    else { return .unknown }
    return MQTTPresence.State(rawValue: word) ?? .unknown
  }

  private func places(of account: AccountID, _ settings: Settings) async throws -> [Place] {
    let revision = try await core.store.zoneSetRevision(of: account)
    let radius = settings.defaultRadius
    if let held = places[account], held.revision == revision, held.radius == radius { return held.places }
    let set = try await core.store.zoneSet(of: account)
    let made = set.zones.compactMap(\.zone).prefix(Self.mostZones).compactMap { zone -> Place? in
      guard let shape = try? zone.shape(defaultRadius: radius) else { return nil }
      return Place(zone: zone, outline: Outline(shape))
    }
    places[account] = Places(revision: set.revision, radius: radius, places: made)
    return made
  }

  /// The messages to publish so that the broker has the wanted ones, by topic; an empty payload removes a
  /// message.
  static func changes(
    from there: [String: [UInt8]], to wanted: [String: [UInt8]]
  ) -> [(topic: String, payload: [UInt8])] {
    let gone = there.keys.filter { wanted[$0] == nil }.map { (topic: $0, payload: [UInt8]()) }
    let new = wanted.filter { there[$0.key] != $0.value }.map { (topic: $0.key, payload: $0.value) }
    return (gone + new).sorted { $0.topic < $1.topic }
  }

  private func publish(_ wanted: [String: [UInt8]], _ session: MQTTSession) async throws {
    var rest = Self.changes(from: broker.withLockedValue { $0.retained }, to: wanted)[...]
    while !rest.isEmpty {
      let now = rest.prefix(Self.atOnce)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (topic, payload) in now {
          group.addTask { try await session.publish(topic, payload, isRetained: true) }
        }
        try await group.waitForAll()
      }
      broker.withLockedValue { broker in
        for (topic, payload) in now { broker.retained[topic] = payload.isEmpty ? nil : payload }
      }
      status.notePublished(states: now.count)
      rest = rest.dropFirst(Self.atOnce)
    }
    status.stands(wanted.count)
  }
}
