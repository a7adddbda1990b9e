import AlarmEngine
import Delivery
import Formats
import Store

/// The rule of a channel in JSON: which notices are sent.
enum ChannelRuleJSON {
  private static let directions = ChannelRule.Direction.allCases.map(\.rawValue)
  private static let kinds = ChannelRule.namedKinds.map(\.rawValue)

  /// The rule in a request. Members that are left out allow everything.
  static let schema = Schema.object(members.map { .allowed($0.name, $0.schema, $0.meaning) })
  static let storedSchema = Schema.object(members.map { .needed($0.name, $0.schema, $0.meaning) })

  private static let members: [(name: String, schema: Schema, meaning: String)] = [
    (
      "zone_ids", .list(.id, upTo: ChannelRule.maximumZones),
      "Zones whose notices are sent; with `categories`, those of either. Both empty: all zones."
    ),
    (
      "categories", .list(.text(ChannelRule.categoryLength), upTo: ChannelRule.maximumCategories),
      "Categories of zones whose notices are sent; upper and lower case are the same."
    ),
    (
      "directions", .list(.words(directions), upTo: directions.count),
      "Movements, of notices about zones; empty for all."
    ),
    (
      "kinds", .list(.words(kinds), upTo: kinds.count),
      """
      Kinds of notice; empty for all. `repeat` stands for the repeats of the alarms named. The end of an alarm \
      goes to every channel that was told of it, and tests are always sent.
      """
    ),
    (
      "device_ids", .list(.id, upTo: ChannelRule.maximumDevices),
      "Phones whose notices are sent; empty for all of the account."
    ),
    (
      "hours", .list(ZoneJSON.window, upTo: ChannelRule.maximumHours),
      """
      Hours in which something is sent, by the account's `time_zone`; empty for always. An alarm that still \
      rings when they begin is sent then. SOS is sent at any time.
      """
    ),
  ]

  static func json(_ rule: ChannelRule) -> JSONValue {
    .object([
      ("zone_ids", list(rule.zones.map(\.description))), ("categories", list(rule.categories)),
      ("directions", list(rule.directions.map(\.rawValue))), ("kinds", list(rule.kinds.map(\.rawValue))),
      ("device_ids", list(rule.devices.map(\.description))),
      ("hours", .array(rule.hours.map { ZoneJSON.json($0) })),
    ])
  }

  private static func list(_ words: some Sequence<String>) -> JSONValue {
    .array(words.sorted().map { .string($0) })
  }

  /// - Parameters:
  ///   - value: validated against `schema`; nil for a rule that allows everything.
  ///   - zones: the zones that may be named.
  ///   - devices: the phones that may be named.
  static func rule(
    _ value: JSONValue?, zones: Set<ZoneID>, devices: Set<DeviceID>
  ) throws(Problem) -> ChannelRule {
    func words(_ member: String) -> [String] { value?[member]?.list?.compactMap(\.string) ?? [] }
    let named = words("zone_ids").compactMap { parsedID($0) }.map(ZoneID.init(rawValue:))
    if let index = named.firstIndex(where: { !zones.contains($0) }) {
      throw .invalid(
        "/rule/zone_ids/\(index)", "\(named[index]) found, zones that the account watches allowed")
    }
    let phones = words("device_ids").compactMap { parsedID($0) }.map(DeviceID.init(rawValue:))
    if let index = phones.firstIndex(where: { !devices.contains($0) }) {
      throw .invalid("/rule/device_ids/\(index)", "\(phones[index]) found, the account's devices allowed")
    }
    do {
      return try ChannelRule(
        zones: Set(named), categories: Set(words("categories")),
        directions: Set(words("directions").compactMap(ChannelRule.Direction.init(rawValue:))),
        kinds: Set(words("kinds").compactMap(NoticeKind.init(rawValue:))), devices: Set(phones),
        hours: (value?["hours"]?.list ?? []).map { ZoneJSON.window($0) })
    } catch { throw problem(error, categories: words("categories")) }
  }

  private static func problem(_ error: ChannelRuleError, categories: [String]) -> Problem {
    switch error {
    case .tooMany(let member, let given, let allowed):
      let name =
        switch member {
        case .zones: "zone_ids"
        case .devices: "device_ids"
        case .categories, .hours: member.rawValue
        }
      return .invalid("/rule/\(name)", "\(given) entries found, at most \(allowed) allowed")
    case .unusableCategory(let given):
      let index = categories.firstIndex(of: given) ?? 0
      let length = ChannelRule.categoryLength
      return .invalid(
        "/rule/categories/\(index)",
        "\"\(given.excerpt(60))\" found, \(length.lowerBound) to \(length.upperBound) characters on one line allowed"
      )
    case .unnamedKind(let given):
      return .invalid("/rule/kinds", "\(given.rawValue) found, \(kinds.joined(separator: ", ")) allowed")
    case .repeatsOfNothing:
      return .invalid("/rule/kinds", "repeat found without a kind of alarm, repeat beside one allowed")
    case .noWeekday(let index):
      return .invalid("/rule/hours/\(index)/weekdays", "no weekday found, one to seven allowed")
    }
  }
}
