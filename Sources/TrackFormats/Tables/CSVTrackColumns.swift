import ZoneFormats

/// The meaning of a table's columns, detected from its header row.
///
/// Names match regardless of case, blanks, `_`, `-`, `.` and brackets around units. If several columns match,
/// the name listed first below wins. Speeds without a unit are m/s, as phones report them.
struct CSVTrackColumns: Equatable {
  struct Column: Equatable {
    let index: Int
    /// The factor that converts a value to metres, metres per second or degrees.
    let factor: Double
  }
  enum Time: Equatable {
    /// A nil `unitsPerSecond` tells Unix times apart by size.
    case single(Int, unitsPerSecond: Double?)
    case dateAndTime(date: Int, time: Int, offset: Int?)
  }
  enum Device: Equatable {
    case none
    case named(Int)
    /// A column named just "id", of devices or of rows.
    case perhaps(Int)
  }
  /// A column with the hemisphere.
  struct HemisphereColumn: Equatable {
    let index: Int
    /// True if the column has no name; its values other than a hemisphere are ignored.
    let isUnnamed: Bool
  }
  let latitude: Column
  let longitude: Column
  let northOrSouth: HemisphereColumn?
  let eastOrWest: HemisphereColumn?
  let time: Time
  let received: Int?
  let accuracy: Column?
  let speed: Column?
  let course: Column?
  let hdop: Column?
  let altitude: Column?
  let altitudeError: Column?
  let device: Device
  /// Columns of accuracies, speeds and heights with an unknown unit in brackets.
  let unknownUnits: [Int]

  /// Returns nil if the row does not name latitude, longitude and time.
  init?(header: [ArraySlice<UInt8>]) {
    let names = Names(header)
    guard let latitude = names.column(Self.latitudes) ?? names.column(Self.latitudesWithLetters),
      let longitude = names.column(Self.longitudes) ?? names.column(Self.longitudesWithLetters),
      let time = Self.time(in: names)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    (northOrSouth, eastOrWest) = names.hemispheres(latitude, longitude)
    self.time = time
    received = names.column(Self.receipts.map { ($0, 1) })?.index
    accuracy = names.column(Self.accuracies)
    speed = names.column(Self.speeds)
    course = names.column(Self.courses.map { ($0, 1) })
    hdop = names.column([("hdop", 1)])
    altitude = names.column(Self.altitudes)
    altitudeError = names.column(Self.altitudeErrors)
    let (accuracy, speed, altitude) = (accuracy, speed, altitude)
    unknownUnits = header.indices.filter { index in
      guard header[index].contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) else {
        return false
      }
      let name = names.all[index]
      return accuracy == nil
        && ["accuracy", "horizontalaccuracy", "hacc"].contains(where: { name.hasPrefix($0) })
        || speed == nil && ["speed", "groundspeed", "velocity"].contains(where: { name.hasPrefix($0) })
        || altitude == nil && ["altitude", "elevation", "alt", "ele"].contains(where: { name.hasPrefix($0) })
    }
    if let named = names.column(Self.devices.map { ($0, 1) }) {
      device = .named(named.index)
    } else if let id = names.column([("id", 1)]) {
      device = .perhaps(id.index)
    } else {
      device = .none
    }
  }

  static func namesPosition(_ header: [ArraySlice<UInt8>]) -> Bool {
    let names = Names(header)
    return names.column(latitudes) != nil && names.column(longitudes) != nil
  }

  private struct Names {
    private var indices: [String: Int] = [:]
    let all: [String]

    init(_ header: [ArraySlice<UInt8>]) {
      all = header.map(Self.plain)
      for (index, name) in all.enumerated() {
        if !name.isEmpty, indices[name] == nil { indices[name] = index }
      }
    }
    func index(_ name: String) -> Int? { indices[name] }
    func column(_ wanted: [(String, Double)]) -> Column? {
      for (name, factor) in wanted {
        if let index = indices[name] { return Column(index: index, factor: factor) }
      }
      return nil
    }
    /// Finds the columns by name, or by their place after latitude and longitude if they have equal names or
    /// none.
    func hemispheres(_ latitude: Column, _ longitude: Column) -> (HemisphereColumn?, HemisphereColumn?) {
      var found: [Hemisphere.Axis: HemisphereColumn] = [:]
      for (index, name) in all.enumerated() where index != latitude.index && index != longitude.index {
        guard let axis = Hemisphere.axis(ofColumn: name), found[axis] == nil else { continue }
        found[axis] = HemisphereColumn(index: index, isUnnamed: false)
      }
      let (north, east) = (latitude.index + 1, longitude.index + 1)
      if found.isEmpty, all.indices.contains(north), all.indices.contains(east), all[north] == all[east],
        all[north].isEmpty || CSVTrackColumns.alikeHemispheres.contains(all[north])
      {
        let isUnnamed = all[north].isEmpty
        return (
          HemisphereColumn(index: north, isUnnamed: isUnnamed),
          HemisphereColumn(index: east, isUnnamed: isUnnamed)
        )
      }
      return (found[.latitude], found[.longitude])
    }
    /// Returns the name in lower case with only letters and digits: "Speed (km/h)" is "speedkmh".
    private static func plain(_ field: ArraySlice<UInt8>) -> String {
      var name: [UInt8] = []
      for byte in field.prefix(80) {
        switch byte {
        case 0x41...0x5a: name.append(byte | 0x20)
        case 0x61...0x7a, 0x30...0x39, 0x80...: name.append(byte)
        default: break
        }
      }
      return TextEncoding.string(name[...])
    }
  }

  private static func time(in names: Names) -> Time? {
    for (date, time, offset) in datesAndTimes {
      guard let date = names.index(date), let time = names.index(time) else { continue }
      return .dateAndTime(date: date, time: time, offset: offset.flatMap(names.index))
    }
    for (name, units) in times {
      if let index = names.index(name) { return .single(index, unitsPerSecond: units) }
    }
    return nil
  }

  private static let latitudes: [(String, Double)] = [
    ("lat", 1), ("latitude", 1), ("latdeg", 1), ("latitudedeg", 1), ("latitudedegrees", 1), ("gpslat", 1),
    ("gpslatitude", 1), ("positionlat", 1), ("locationlat", 1), ("locationlatitude", 1), ("latwgs84", 1),
    ("breitengrad", 1), ("breite", 1), ("latitudee7", 1e-7), ("late7", 1e-7),
  ]
  private static let longitudes: [(String, Double)] = [
    ("lon", 1), ("lng", 1), ("long", 1), ("longitude", 1), ("londeg", 1), ("lngdeg", 1), ("longitudedeg", 1),
    ("longitudedegrees", 1), ("gpslon", 1), ("gpslng", 1), ("gpslong", 1), ("gpslongitude", 1),
    ("positionlon", 1),
    ("positionlng", 1), ("positionlong", 1), ("locationlon", 1), ("locationlng", 1), ("locationlong", 1),
    ("locationlongitude", 1), ("lonwgs84", 1), ("längengrad", 1), ("länge", 1), ("longitudee7", 1e-7),
    ("lone7", 1e-7), ("lnge7", 1e-7),
  ]
  /// Columns of degrees with a letter, used if none has a plain name.
  private static let latitudesWithLetters: [(String, Double)] = [
    ("latitudens", 1), ("latns", 1), ("latitudenorthsouth", 1),
  ]
  private static let longitudesWithLetters: [(String, Double)] = [
    ("longitudeew", 1), ("lonew", 1), ("longew", 1), ("lngew", 1), ("longitudeeastwest", 1),
  ]
  private static let alikeHemispheres: Set<String> = [
    "hemisphere", "hem", "hemi", "dir", "direction", "ref", "indicator", "ind", "cardinal", "nsew", "letter",
  ]
  private static let datesAndTimes: [(String, String, String?)] = [
    ("lcldate", "lcltime", "utcofst"), ("localdate", "localtime", "utcoffset"), ("utcdate", "utctime", nil),
    ("gpsdate", "gpstime", nil), ("date", "time", nil), ("date", "utctime", nil), ("datum", "zeit", nil),
    ("datum", "uhrzeit", nil),
  ]
  private static let times: [(String, Double?)] = [
    ("measuredat", nil), ("measuredatms", 1e3), ("measuredats", 1), ("at", nil), ("atms", 1e3),
    ("timestamp", nil),
    ("timestampms", 1e3), ("timestamps", 1), ("timestamputc", nil), ("timestampnanos", 1e9),
    ("datetime", nil),
    ("datetimeutc", nil), ("fixtime", nil), ("devicetime", nil), ("locationtimestamp", nil), ("gpstime", nil),
    ("gpstimestamp", nil), ("recordedat", nil), ("capturedat", nil), ("observedat", nil), ("eventtime", nil),
    ("time", nil), ("timeutc", nil), ("utctime", nil), ("utc", nil), ("timems", 1e3), ("timemillis", 1e3),
    ("unixtime", nil), ("unixtimestamp", nil), ("epoch", nil), ("epochms", 1e3), ("tst", nil), ("ts", nil),
    ("isotime", nil), ("iso8601", nil), ("createdat", nil), ("date", nil), ("zeit", nil),
    ("zeitstempel", nil),
    ("t", nil),
  ]
  private static let receipts = [
    "receivedat", "writtenat", "servertime", "insertedat", "storedat", "uploadedat", "receivedtime",
  ]
  private static let accuracies: [(String, Double)] = [
    ("accuracym", 1), ("horizontalaccuracym", 1), ("accuracy", 1), ("horizontalaccuracy", 1), ("hacc", 1),
    ("haccm", 1), ("horizontalacc", 1), ("horaccuracy", 1), ("positionaccuracy", 1), ("gpsaccuracy", 1),
    ("locationaccuracy", 1), ("accuracymeters", 1), ("accuracymetres", 1), ("acc", 1), ("accm", 1),
    ("accuracykm", 1000), ("horizontalaccuracykm", 1000), ("accuracycm", 0.01), ("accuracymm", 0.001),
    ("accuracyft", 0.3048), ("accuracyfeet", 0.3048), ("horizontalaccuracyft", 0.3048), ("genauigkeit", 1),
  ]
  private static let altitudes: [(String, Double)] = [
    ("altitudem", 1), ("altitude", 1), ("alt", 1), ("altm", 1), ("ele", 1), ("elem", 1), ("elevation", 1),
    ("elevationm", 1), ("gpsaltitude", 1), ("locationaltitude", 1), ("altitudemeters", 1),
    ("altitudemetres", 1),
    ("altitudekm", 1000), ("elevationkm", 1000),
    ("altitudeft", 0.3048), ("altitudefeet", 0.3048), ("altft", 0.3048), ("elevationft", 0.3048), ("höhe", 1),
    ("höhem", 1),
  ]
  private static let altitudeErrors: [(String, Double)] = [
    ("verticalaccuracym", 1), ("verticalaccuracy", 1), ("altitudeaccuracy", 1), ("altitudeaccuracym", 1),
    ("vacc", 1), ("vaccm", 1), ("vac", 1), ("verticalacc", 1), ("altitudeerrorm", 1),
    ("verticalaccuracyft", 0.3048),
  ]
  /// 1852 m in a nautical mile, 1609.344 m in a mile.
  private static let speeds: [(String, Double)] = [
    ("speedmps", 1), ("speedms", 1), ("speedfps", 0.3048), ("speedfts", 0.3048), ("speedcms", 0.01),
    ("mps", 1), ("speedkmh", 1 / 3.6), ("speedkph", 1 / 3.6),
    ("kmh", 1 / 3.6),
    ("kph", 1 / 3.6), ("speedmph", 0.44704), ("mph", 0.44704), ("speedkt", 1852.0 / 3600),
    ("speedkts", 1852.0 / 3600), ("speedkn", 1852.0 / 3600), ("speedknots", 1852.0 / 3600),
    ("groundspeedkt", 1852.0 / 3600), ("groundspeedkts", 1852.0 / 3600), ("groundspeedknots", 1852.0 / 3600),
    ("gndspd", 1852.0 / 3600), ("gndspdkt", 1852.0 / 3600), ("groundspeedmps", 1), ("groundspeedms", 1),
    ("groundspeedkmh", 1 / 3.6), ("speed", 1), ("groundspeed", 1), ("velocity", 1), ("velocitymps", 1),
    ("gpsspeed", 1), ("vel", 1 / 3.6),
  ]
  private static let courses = [
    "coursedeg", "bearingdeg", "trackdeg", "course", "bearing", "track", "trk", "cog", "heading",
    "headingdeg",
    "hdg", "azimuth",
  ]
  private static let devices = [
    "deviceid", "device", "devicename", "vehicleid", "vehicle", "trackerid", "userid", "phone", "phoneid",
    "imei",
    "mmsi", "icao24", "aircraftid", "animalid", "individuallocalidentifier", "taxiid", "trackid", "tid",
  ]
}
