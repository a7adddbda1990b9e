import AlarmEngine
import AlarmService
import Delivery
import Formats
import Geometry
import Logging
import MQTTClient
import NIOConcurrencyHelpers
import Store

/// Keeps what stands retained on the broker as the store has it, for the accounts that have a channel of the kind `mqtt`.
///
/// The broker itself is the memory: what is retained under our topics comes when we subscribe. What is missing or different is
/// published, and what no phone or zone stands for any more is removed, also where that was deleted or renamed while the
/// broker or this server was away.
actor MQTTMirror {
  static let interval = Duration.seconds(5)
  /// Of one account, by their ids: each is a message for each phone, and an entity in Home Assistant.
  static let mostZones = 500
  /// Messages that wait for the broker's answer at the same time.
  private static let atOnce = 32
  /// Retained topics that are remembered.
  private static let remembered = 200_000
  /// How long the broker may take to tell what it has.
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
  /// What the broker has, as far as it has told or taken.
  private struct Broker {
    var retained: [String: [UInt8]] = [:]
    /// Published after the subscription: when it comes back, all that is retained has come before.
    var mark: [UInt8] = []
    var hasTold: AsyncStream<Void>.Continuation?
  }

  private let parts: ServerParts
  private let root: String
  private var places: [AccountID: Places] = [:]
  private let broker = NIOLockedValueBox(Broker())

  init(_ parts: ServerParts, root: String) {
    self.parts = parts
    self.root = root
  }

  private nonisolated var markTopic: String { "\(root)/mark" }

  /// Takes a message that the broker sends because of our subscriptions.
  /// - Returns: false for one of another kind.
  nonisolated func take(_ message: MQTTMessage) -> Bool {
    guard message.topic.hasPrefix("\(root)/") || message.topic.hasPrefix("homeassistant/") else {
      return false
    }
    broker.withLockedValue { broker in
      if message.topic == markTopic, message.payload == broker.mark { broker.hasTold?.finish() }
      // What is not retained is being published now, by ourselves.
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

  /// Until the task is cancelled or the connection is lost.
  func run(_ session: MQTTSession) async throws(MQTTFailure) {
    try await learn(session)
    while !Task.isCancelled {
      do { try await publish(try await wanted(), session) } catch let failure as MQTTFailure {
        throw failure
      } catch {
        // What stands on the broker stays until the store answers again.
        if !Task.isCancelled { parts.logger.error("MQTT", metadata: ["error": "\(error)"]) }
      }
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  /// Has the broker tell what it has.
  private func learn(_ session: MQTTSession) async throws(MQTTFailure) {
    let mark = Secrets.randomBytes()
    let (told, hasTold) = AsyncStream<Void>.makeStream()
    broker.withLockedValue { $0 = Broker(mark: mark, hasTold: hasTold) }
    // Each alone: a broker may refuse one of them, and what arrives is bounded for each.
    for filter in MQTTPhoneStates.filters(root) + [HomeAssistantDiscovery.filter, markTopic] {
      do throws(MQTTFailure) { try await session.subscribe([filter], qos: 0) } catch {
        guard case .subscriptionRefused = error else { throw error }
        parts.logger.notice("MQTT", metadata: ["reason": "\(error)"])
      }
    }
    try await session.publish(markTopic, mark)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in told {} }
      // A broker that lets us read nothing never tells: all is published anew, and nothing that is gone removed.
      group.addTask { try? await Task.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
  }

  /// All that shall stand there: payloads by topics.
  func wanted() async throws -> [String: [UInt8]] {
    var wanted: [String: [UInt8]] = [:]
    let channels = try await parts.store.activeChannels(of: .mqtt)
    let accounts = Dictionary(grouping: channels, by: \.account)
    places = places.filter { accounts[$0.key] != nil }
    for (account, channels) in accounts.sorted(by: { $0.key < $1.key }) {
      guard let (record, devices) = try await phones(of: account) else { continue }
      let given = try await parts.store.settings(of: account).json
      for device in devices {
        let targets = channels.filter { $0.devices?.contains(device.id) != false }.compactMap(target)
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

  /// An account with its devices; nil where it is gone or may not be used.
  private nonisolated func phones(of account: AccountID) async throws -> (Account, [Device])? {
    try await found {
      let record = try await parts.store.account(account)
      return record.isDisabled ? nil : (record, try await parts.store.devices(of: account))
    } ?? nil
  }

  /// Nil where the settings do not do any more.
  private nonisolated func target(_ channel: Store.Channel) -> MQTTTarget? {
    guard
      case .mqtt(let target)? = try? ChannelConfiguration(
        kind: .mqtt, json: Array(channel.secrets.utf8), policy: parts.services.http.policy)
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

  /// What the broker says of a phone and a zone.
  private nonisolated func before(_ topic: String) -> MQTTPresence.State {
    guard let there = broker.withLockedValue({ $0.retained[topic] }),
      let word = (try? JSONValue.parse(there))?["state"]?.string
    else { return .unknown }
    return MQTTPresence.State(rawValue: word) ?? .unknown
  }

  private func places(of account: AccountID, _ settings: Settings) async throws -> [Place] {
    let revision = try await parts.store.zoneSetRevision(of: account)
    let radius = settings.defaultRadius
    if let held = places[account], held.revision == revision, held.radius == radius { return held.places }
    let set = try await parts.store.zoneSet(of: account)
    let made = set.zones.compactMap(\.zone).prefix(Self.mostZones).compactMap { zone -> Place? in
      guard let shape = try? zone.shape(defaultRadius: radius) else { return nil }
      return Place(zone: zone, outline: Outline(shape))
    }
    places[account] = Places(revision: set.revision, radius: radius, places: made)
    return made
  }

  /// What has to be published so that the broker has what is wanted, by topic; an empty payload removes.
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
      parts.mqtt.notePublished(states: now.count)
      rest = rest.dropFirst(Self.atOnce)
    }
    parts.mqtt.stands(wanted.count)
  }
}
