import AlarmEngine
import TrackFormats
import WebEngine
import ZoneFormats

/// Reads files of zones and tracks for a page, and writes zones, a piece at a time. It checks no value of zones: the page's engine does.
///
/// A request is a `PageValue` in CBOR, as those of `PageEngine` are:
///
/// - `{ask: "read_zones", bytes, last?, format?}`: a piece of a file. The first one names the `format`.
/// - `{ask: "more_zones"}`: what did not fit into the answer before.
/// - `{ask: "read_track", bytes, last?, format?, now_ms?}`: a piece of a file of a track. The first one names the `format`
///   and the present, and has the beginning of the file.
/// - `{ask: "more_rows"}`: what did not fit into the answer before.
/// - `{ask: "write_zones", zones, last?, format?}`: zones of a file, as forms. The first request names the `format`.
/// - `{ask: "is_table", bytes}`: whether a text begins as a table of a track does, `{table}`.
/// - `{ask: "zone_format", bytes}`: the format of zones that a file begins as, `{format}`; null for none.
///
/// An answer about zones has `zones` (forms; those without a schedule in CBOR, since a page only passes them on), `issues` (`line`?, `zone`, `error`, `why`), and `more`: whether there are others.
/// One about a track has `rows` (``FixRow``, little-endian doubles) and `more`, and after the last piece `name`, `timed`: whether
/// anything had a time, the numbers of points that are left out as `untimed` or `impossible` (and `why`: of the first one), of
/// parts that are `damaged`, and of points that were `moved` by weeks that a receiver had lost.
/// One about zones to write has `bytes`, the next part of the file, and `left_out`: how many of the forms are no zones.
public struct FileEngine {
  private var reader: (any ZoneFormatReader)?
  /// Zones that are read and not handed over, from `handed` on.
  private var drafts: [ZoneDraft] = []
  private var handed = 0
  private var notes: [ZoneFileNote] = []
  private var track: TrackReading?
  private var writer: (any ZoneFormatWriter)?
  /// The most zones, and the most issues, of one answer.
  private static let portion = 500

  public init() {}

  /// - Returns: the answer in CBOR; `{refused: {why}}` to a request that is none, and for a file of which nothing can be read.
  public mutating func answer(_ request: [UInt8]) -> [UInt8] {
    guard let asked = try? PageValue(cbor: request) else { return Self.refused("unknown") }
    switch asked["ask"] {
    case .text("read_zones")?:
      if let refusal = read(asked) {
        self = Self()
        return Self.refused(refusal)
      }
    case .text("more_zones")?: break
    case .text("read_track")?:
      if let refusal = readTrack(asked) {
        self = Self()
        return Self.refused(refusal)
      }
      return trackPortion()
    case .text("more_rows")?: return trackPortion()
    case .text("write_zones")?: return write(asked)
    case .text("is_table")?:
      guard case .bytes(let bytes)? = asked["bytes"] else { return Self.refused("bytes") }
      return PageValue.map([.init("table", .bool(CSVTrackReader.begins(bytes)))]).cbor
    case .text("zone_format")?:
      guard case .bytes(let bytes)? = asked["bytes"] else { return Self.refused("bytes") }
      let format = ZoneFormat(start: bytes).map { PageValue.text(Text($0.rawValue)) }
      return PageValue.map([.init("format", format ?? .null)]).cbor
    default: return Self.refused("unknown")
    }
    return portion()
  }

  /// - Returns: why the request is refused.
  private mutating func read(_ asked: PageValue) -> Text? {
    if case .text(let format)? = asked["format"] {
      self = Self()
      reader = Self.reader(format)
    }
    guard let reader else { return "format" }
    guard case .bytes(let bytes)? = asked["bytes"] else { return "bytes" }
    let isLast = asked["last"] == .bool(true)
    if isLast { self.reader = nil }
    do throws(ReadError) {
      try reader.feed(bytes)
      if isLast { try reader.finish() }
    } catch { return "unreadable" }
    if isLast || !reader.holdsBack {
      let found = reader.builder.takeRaw()
      drafts += found.drafts
      notes += found.notes
    }
    return nil
  }

  /// - Returns: why the request is refused.
  private mutating func readTrack(_ asked: PageValue) -> Text? {
    guard case .bytes(let bytes)? = asked["bytes"] else { return "bytes" }
    if case .text(let format)? = asked["format"] {
      self = Self()
      guard case .integer(let now)? = asked["now_ms"] else { return "now_ms" }
      track = TrackReading(format, start: bytes, now: Instant(millisecondsSince1970: now))
    }
    guard let track else { return "format" }
    do throws(ReadError) {
      try track.feed(bytes)
      if asked["last"] == .bool(true) { try track.finish() }
    } catch { return "unreadable" }
    return nil
  }

  private func trackPortion() -> [UInt8] { track?.portion() ?? Self.refused("format") }

  private mutating func write(_ asked: PageValue) -> [UInt8] {
    if case .text(let format)? = asked["format"] {
      self = Self()
      writer = Self.writer(format)
    }
    guard let writer else { return Self.refused("format") }
    guard case .list(let forms)? = asked["zones"] else { return Self.refused("zones") }
    var leftOut: Int64 = 0
    for form in forms {
      do throws(ZoneForm.FieldError) {
        writer.append(try ZoneForm.draft(form, fresh: nil), keeping: nil)
      } catch {
        leftOut += 1
      }
    }
    if asked["last"] == .bool(true) {
      writer.finish()
      self.writer = nil
    }
    return PageValue.map([
      .init("bytes", .bytes(writer.takeBytes())), .init("left_out", .integer(leftOut)),
    ]).cbor
  }

  private mutating func portion() -> [UInt8] {
    let end = min(handed + Self.portion, drafts.count)
    let forms = drafts[handed..<end].map { draft in
      let form = ZoneForm.form(of: draft)
      return draft.schedule == nil ? PageValue.bytes(form.cbor) : form
    }
    handed = end
    if handed == drafts.count { (drafts, handed) = ([], 0) }
    let issues = notes.prefix(Self.portion).map(Self.issue)
    notes.removeFirst(issues.count)
    return PageValue.map([
      .init("zones", .list(forms)), .init("issues", .list(issues)),
      .init("more", .bool(!drafts.isEmpty || !notes.isEmpty)),
    ]).cbor
  }

  private static func reader(_ format: Text) -> (any ZoneFormatReader)? {
    let builder = ZoneFileBuilder()
    switch format {
    case "geojson": return GeoJSONZoneReader(builder)
    case "kml": return ZoneXMLFileReader(KMLZoneReader(builder), name: "")
    case "openair": return OpenAirReader(builder)
    case "owntracks": return OwnTracksWaypointReader(builder)
    case "gpx": return ZoneXMLFileReader(GPXZoneReader(builder), name: "")
    case "csv": return CSVZoneReader(builder, name: "")
    case "traccar": return TraccarGeofences(builder)
    case "homeassistant": return HomeAssistantZones(builder, name: "")
    default: return nil
    }
  }

  private static func writer(_ format: Text) -> (any ZoneFormatWriter)? {
    switch format {
    case "geojson": return GeoJSONZoneWriter()
    case "kml": return KMLZoneWriter()
    default: return nil
    }
  }

  private static func refused(_ why: Text) -> [UInt8] {
    PageValue.map([.init("refused", .map([.init("why", .text(why))]))]).cbor
  }

  private static func issue(_ note: ZoneFileNote) -> PageValue {
    var entries: [PageValue.Entry] = []
    if let line = note.line { entries.append(.init("line", .integer(Int64(line)))) }
    entries.append(.init("zone", .text(note.zone)))
    entries.append(.init("error", .bool(note.isError)))
    entries.append(.init("why", .text(Text(note.kind.rawValue))))
    return .map(entries)
  }
}
