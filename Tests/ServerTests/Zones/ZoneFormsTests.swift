import AlarmEngine
import Formats
import Foundation
import Geometry
import TestSupport
import Testing
import WebEngine

@testable import AlarmService
@testable import Delivery
@testable import Server

/// All forms of a zone against one another: a zone that one accepts, all accept; a zone that goes through all
/// of them in turn comes out equal; and a timeline works with it.
@Suite("Forms of a zone")
struct ZoneFormsTests {
  /// One form: writes a zone and reads it back; nil if it is refused, or changed by the form.
  struct Form: CustomTestStringConvertible {
    let name: String
    let carry: @Sendable (ZoneDraft) throws -> Zone?
    var testDescription: String { name }
  }

  private static let radius = Settings().defaultRadius

  static let forms: [Form] =
    [ZoneFormat.pad, .geojson, .kml, .kmz].map { format in
      Form(name: format.rawValue) { zone in
        let file = try ZoneFile.read(data: try format.encode([zone]).data, format: format)
        return file.issues.isEmpty ? file.zones.first : nil
      }
    } + [
      Form(name: "record") { zone in
        var record = SyncRecord()
        record.edit(to: zone.fields, at: HybridTime(time: .now, counter: 0, node: 1))
        return try? Zone(id: zone.id, record: record)
      },
      Form(name: "page") { zone in try? ZoneForm.zone(ZoneForm.form(of: zone), fresh: nil) },
      Form(name: "API") { zone in
        let json = try JSONValue.parse(Array(ZoneJSON.json(zone).text.utf8))
        guard ZoneJSON.schema.findings(in: json).isEmpty else { return nil }
        return try? ZoneJSON.zone(json, id: zone.id, defaultRadius: radius)
      },
    ]

  /// True if a form keeps the zone unchanged and it has an area.
  private func takes(_ zone: ZoneDraft, _ form: Form) throws -> Bool {
    guard let read = try form.carry(zone), (try? read.shape(defaultRadius: Self.radius)) != nil else {
      return false
    }
    return read.draft == zone
  }

  @Test(arguments: forms) func `every attribute goes in and comes out`(form: Form) throws {
    for seed in UInt64(0)..<40 {
      var random = SeededGenerator(seed: seed)
      let zone = ZoneSamples.zone(&random)
      #expect(try form.carry(zone.draft) == zone, "seed \(seed)")
    }
  }

  @Test func `through all forms, in any order, a zone stays what it is, and it is watched`() throws {
    for seed in UInt64(0)..<20 {
      var random = SeededGenerator(seed: 1000 + seed)
      let zone = ZoneSamples.compactZone(&random)
      var carried = zone
      let order = Self.forms.shuffled(using: &random)
      for form in order {
        carried = try #require(try form.carry(carried.draft), "seed \(seed), \(form.name)")
        #expect(carried == zone, "seed \(seed), \(order.map(\.name))")
      }
      var timeline = Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [carried])
      let start = Instant(millisecondsSince1970: 1_795_000_000_000)
      for second in 0..<3 {
        let fix = Fix(
          position: ZoneSamples.place(&random), accuracy: .radius(.metres(5)),
          measuredAt: start + .seconds(Double(second) * 40_000))
        timeline.insert([.fix(fix)])
      }
      timeline.advance(to: start + .hours(48))
    }
  }

  private typealias NumberCase = (field: RangedField, set: @Sendable (inout ZoneDraft, Double) -> Void)

  /// All numeric fields of a zone, with functions that set them.
  private static let numbers: [NumberCase] = {
    var numbers: [NumberCase] = [
      (.dwell, { $0.trigger = .dwell(.seconds($1)) }),
      (.dwell, { $0.trigger = .leave(after: .seconds($1)) }),
      (.dwell, { $0.trigger = .enterAndLeave(after: .seconds($1)) }),
      (.noticeCap, { $0.notice = Notice(title: "Title", text: "Text", cap: .seconds($1)) }),
    ]
    for field in RangedField.ofZone {
      numbers.append(
        (
          field,
          { draft, value in
            draft[field] = field == .priority ? Double(Int32(clamping: Int64(value))) : value
          }
        ))
    }
    return numbers
  }()

  @Test func `what one form accepts all accept, at every end of every range`() throws {
    let names = Set(Self.numbers.map(\.field.name))
    let others = RangedField.allCases.filter { !names.contains($0.name) }
    #expect(others.first == .reminderRadius, "a number of a zone that is not tried: \(others)")
    let triangle = [(0.0, 0.0), (0, 1), (1, 0)].map {
      Coordinate(latitude: .degrees(47 + $0.0), longitude: .degrees(11 + $0.1))
    }
    for (field, set) in Self.numbers {
      let (least, most) = (field.allowed.lowerBound, field.allowed.upperBound)
      let step = field.unit == .wholeNumber ? 1.0 : 0.001
      for value in [least, least + step, most - step, most, least - step, most + step, most * 1e6] {
        var zone = ZoneDraft(id: ZoneID(rawValue: 7), name: "Zone", outline: .locations(triangle))
        set(&zone, value)
        // A 32-bit integer cannot be beyond its range.
        let isAllowed = field == .priority || field.allowed.contains(value)
        for form in Self.forms {
          #expect(try takes(zone, form) == isAllowed, "\(field.name) \(value) in \(form.name)")
        }
      }
    }
  }

  @Test(arguments: [
    ZoneOutline.locations([]), .path([]), .path([Coordinate(latitude: .degrees(1), longitude: .degrees(1))]),
  ]) func `a zone without an area is refused by every form`(outline: ZoneOutline) throws {
    let zone = ZoneDraft(id: ZoneID(rawValue: 7), name: "Zone", size: .metres(20), outline: outline)
    for form in Self.forms { #expect(try !takes(zone, form), "\(form.name)") }
  }
}
