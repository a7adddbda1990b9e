import AlarmEngine
import Formats
import HTTPTypes
import Hummingbird
import Store
import TestSupport

@testable import Server

extension ServerSimulation {
  /// Makes one random event. - Returns: true if the server stops.
  func happen(_ server: inout SimulatedServer, _ client: SimulatedClient) async throws -> Bool {
    let phone = below(world.phones.count)
    switch below(100) {
    case 0..<22: try await post(phone, &server, client)
    case 22..<30: try await arriveLate(phone, &server, client)
    case 30..<36: try await editPhone(phone, client) { _ in "renamed" }
    case 36..<42:
      try await editPhone(phone, client) {
        $0.isArmed.toggle()
        return $0.isArmed ? "armed" : "disarmed"
      }
    case 42..<46:
      let interval: TimeSpan? = chance(0.3) ? nil : .seconds(Double([60, 300, 3600][below(3)]))
      try await editPhone(phone, client) {
        $0.interval = interval
        return "must report every \(interval.map { "\($0.seconds) s" } ?? "never")"
      }
    case 46..<53: try await makeZone(client)
    case 53..<62: try await editZone(client)
    case 62..<72: try await answer(client)
    case 72..<76:
      world.cycle = .seconds(Double([5, 10, 30, 60, 300][below(5)]))
      note("cycle \(world.cycle.seconds) s")
      try await saveSettings(client)
    case 76..<80:
      note("another process writes")
      try await server.foreignWrite()
    case 80..<84:
      note("engines leave the memory")
      try await server.evict()
    case 84..<88: breakOrMend(below(world.channels.count))
    case 88..<92: setClock(&server)
    case 92..<94:
      if world.channels.count < 3 { try await makeChannel(client, step: below(3)) }
    case 94..<97 where names.count > 1: return try await killOne()
    default:
      let span = TimeSpan.seconds(Double([1, 20, 62, 600][below(4)]))
      note("the server stops for \(span.seconds) s")
      world.downAt = clock.elapsed
      clock.pass(span)
      conflicts += processes.map(\.conflicts).reduce(0, +)
      processes = []
      return true
    }
    return false
  }

  /// Kills one of two processes and starts it again at once; the other goes on with its memory.
  private func killOne() async throws -> Bool {
    let index = below(processes.count)
    let isDelivering = chance(0.5)
    note("process \(processes[index].name) is killed\(isDelivering ? " while it delivers" : "")")
    if isDelivering {
      // Its leases are free again only after it has started.
      world.downAt = clock.elapsed
      try await processes[index].dieDelivering()
    }
    conflicts += processes[index].conflicts
    kills += 1
    processes.remove(at: index)
    return true
  }

  /// The time to the next event; a person who hears an alarm does not let it ring for hours.
  func gap() async throws -> TimeSpan {
    let roll = below(10)
    let span = roll < 4 ? 1 + below(30) : roll < 7 ? 30 + below(600) : 1800 + below(36_000)
    return try await rings() ? min(cycles(), .seconds(Double(span))) : .seconds(Double(span))
  }

  func rings() async throws -> Bool {
    try await openAlarms().contains { $0.state == .ringing || $0.state == .closed }
  }

  /// A few cycles show as much as hours of them.
  func cycles() -> TimeSpan { .seconds(world.cycle.seconds * Double(2 + below(4))) }

  /// Lets a phone report from its spot or from another.
  func post(
    _ index: Int, _ server: inout SimulatedServer, _ client: SimulatedClient
  ) async throws {
    if chance(0.6) {
      // Two minutes at 30 m/s are enough to reach every spot.
      try await settle(&server, until: clock.elapsed + .seconds(150))
      world.phones[index].spot = below(ServerWorld.spots)
      let (there, second) = (world.phones[index].there, world.phones[index].secondFixAt)
      world.phones[index].wasElsewhere =
        there.map { there in second.map { $0 - there >= .seconds(10) } ?? false } ?? true
      world.phones[index].there = nil
      world.phones[index].leftAt = world.phones[index].heardAt
      world.phones[index].secondFixAt = nil
    }
    for time in 0...below(3) {
      if time > 0 { try await settle(&server, until: clock.elapsed + .seconds(15)) }
      try await send(index, client)
    }
  }

  /// Delivers positions after later ones: retries, and a queue that is sent one by one, oldest or newest
  /// first, at times with live positions in between. They were measured where the phone is, or shortly before
  /// it came there.
  private func arriveLate(
    _ index: Int, _ server: inout SimulatedServer, _ client: SimulatedClient
  ) async throws {
    let phone = world.phones[index]
    guard let there = phone.there, let last = phone.heardAt, !world.clockIsWrong,
      world.clockSetAt.map({ $0 < there }) ?? true
    else { return try await post(index, &server, client) }
    let from = max(there, last - .minutes(10))
    let comes = phone.wasElsewhere && phone.leftAt.map { there - $0 > .seconds(60) } ?? false
    var positions = (0...below(4)).map { _ in
      comes && chance(0.3)
        // The 200 m to the spot take 7 s at 30 m/s; a faster position would be put aside as implausible.
        ? (at: there - .seconds(Double(7 + below(8))), isBeside: true)
        : (at: from + .seconds(Double(below(Int((last - from).seconds) + 1))), isBeside: false)
    }
    if chance(0.7) { positions.sort { $0.at < $1.at } }
    if chance(0.4) { positions.reverse() }
    for position in positions {
      let late = (clock.elapsed - position.at).seconds
      note("phone \(phone.number) was \(position.isBeside ? "beside" : "at") \(phone.spot) \(late) s ago")
      let place = ServerWorld.place(phone.spot, isBeside: position.isBeside)
      try await send(index, place, measuredAt: clock.start + position.at, client)
      world.phones[index].reportedAt = clock.elapsed
      world.lateAt = clock.elapsed
      if chance(0.6) { try await settle(&server, until: clock.elapsed + .seconds(Double(below(20)))) }
      if chance(0.3) { try await send(index, client) }
    }
  }

  private func send(
    _ index: Int, _ place: (latitude: Double, longitude: Double), measuredAt time: Instant,
    _ client: SimulatedClient
  ) async throws {
    try await client.send(
      .post, "/pub?u=anna&d=phone",
      [
        ("_type", .string("location")), ("lat", .number(place.latitude)), ("lon", .number(place.longitude)),
        ("acc", .number(5)), ("tid", .string("AN")), ("tst", .integer(time.millisecondsSince1970 / 1000)),
      ], token: world.phones[index].token, basic: true)
  }

  private func send(_ index: Int, _ client: SimulatedClient) async throws {
    let phone = world.phones[index]
    note("phone \(phone.number) at \(phone.spot)")
    // A phone's clock has whole seconds.
    if clock.truth.millisecondsSince1970 % 1000 != 0 {
      clock.pass(.milliseconds(1000 - clock.truth.millisecondsSince1970 % 1000))
    }
    try await send(index, ServerWorld.place(phone.spot), measuredAt: clock.truth, client)
    let now = clock.elapsed
    world.phones[index].heardAt = now
    // After an old position, the phone's way in between is unknown.
    if phone.there == nil || phone.heardAt.map({ now - $0 >= .hours(20) }) ?? false {
      world.phones[index].there = now
      // It may have been here all the time: an alarm of the previous stay goes on.
      if phone.there != nil { world.phones[index].wasElsewhere = false }
    } else {
      world.phones[index].secondFixAt = now
    }
  }

  private func editPhone(
    _ index: Int, _ client: SimulatedClient, _ edit: (inout ServerWorld.Phone) -> String
  ) async throws {
    var phone = world.phones[index]
    let what = edit(&phone)
    note("phone \(phone.number) is \(what)")
    let read = try await client.send(.get, "/api/v1/devices/\(phone.id)", token: token)
    if phone.isArmed != world.phones[index].isArmed || phone.interval != world.phones[index].interval {
      phone.switchedAt = clock.elapsed
    }
    try await client.send(
      .put, "/api/v1/devices/\(phone.id)",
      phoneMembers("phone \(phone.number), \(operations)", phone.isArmed, phone.interval), token: token,
      headers: [(.ifMatch, read.tag)])
    world.phones[index] = phone
  }

  private func editZone(_ client: SimulatedClient) async throws {
    guard !world.zones.isEmpty else { return try await makeZone(client) }
    let index = below(world.zones.count)
    var zone = world.zones[index]
    if chance(0.25) {
      note("zone \(zone.number) is deleted")
      try await client.send(.delete, "/api/v1/zones/\(zone.id)", token: token)
      world.zones.remove(at: index)
      return
    }
    if chance(0.5) {
      zone.isActive.toggle()
      note("zone \(zone.number) is \(zone.isActive ? "on" : "off")")
    } else {
      let free = (0..<ServerWorld.spots).filter { spot in !world.zones.contains { $0.spot == spot } }
      guard !free.isEmpty else { return }
      zone.spot = free[below(free.count)]
      note("zone \(zone.number) moves to \(zone.spot)")
    }
    zone.editedAt = clock.elapsed
    let read = try await client.send(.get, "/api/v1/zones/\(zone.id)", token: token)
    try await client.send(
      .put, "/api/v1/zones/\(zone.id)",
      zoneMembers("zone \(zone.number)", zone.spot, zone.isActive, zone.dwell), token: token,
      headers: [(.ifMatch, read.tag)])
    world.zones[index] = zone
  }

  func answer(_ client: SimulatedClient) async throws {
    let open = try await openAlarms().sorted { $0.id < $1.id }
    guard !open.isEmpty else { return }
    try await answer(open[below(open.count)], ["close", "sleep", "acknowledge"][below(3)], client)
  }

  /// Answers ringing alarms, as people do most of the time.
  func silence(_ client: SimulatedClient) async throws {
    for alarm in try await openAlarms().sorted(by: { $0.id < $1.id })
    where alarm.state == .ringing || alarm.state == .closed {
      if chance(0.9) { try await answer(alarm, chance(0.85) ? "acknowledge" : "sleep", client) }
    }
  }

  func answer(_ alarm: AlarmRecord, _ word: String, _ client: SimulatedClient) async throws {
    note("\(alarm.id): \(word)")
    rules.noteAnswer(alarm.id, sleeps: word == "sleep", at: clock.elapsed)
    try await client.send(.post, "/api/v1/alarms/\(alarm.id)/\(word)", token: token)
  }

  func breakOrMend(_ index: Int) {
    guard index < world.channels.count else { return }
    world.channels[index].isBroken.toggle()
    world.channels[index].turnedAt = clock.elapsed
    let channel = world.channels[index]
    note("\(channel.name) is \(channel.isBroken ? "broken" : "mended")")
    channels.setBroken(channel.name, channel.isBroken)
  }

  /// Sets the server's clock wrong, or right again.
  private func setClock(_ server: inout SimulatedServer) {
    let before = clock.offset
    let offsets: [Double] = [-300, -60, 45, 300, 3600]
    let offset = before == .zero ? TimeSpan.seconds(offsets[below(offsets.count)]) : .zero
    note("the server's clock is set \((offset - before).seconds) s")
    clock.setOffset(offset)
    world.clockSetAt = clock.elapsed
    world.clockIsWrong = offset != .zero
    if offset < before { world.clockSetBackAt = clock.elapsed } else { world.awakeAt = clock.elapsed }
    server.looksSoon()
  }
}
