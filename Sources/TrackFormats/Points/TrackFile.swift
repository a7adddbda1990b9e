import AlarmEngine
import Geometry
import ZoneFormats

/// The fixes of one or more devices read from a track file, in the order of the file.
public struct TrackFile: Sendable {
  public struct Point: Hashable, Sendable {
    public let fix: Fix
    /// Horizontal dilution of precision, if the file has it; not an accuracy.
    public let hdop: Double?
    public init(fix: Fix, hdop: Double? = nil) {
      self.fix = fix
      self.hdop = hdop
    }
  }
  public struct Device: Sendable {
    /// The device's id in a file that holds several (a CSV with an id column), else empty.
    public let name: String
    public var points: [Point]
    public init(name: String, points: [Point]) {
      self.name = name
      self.points = points
    }
  }
  public var devices: [Device]
  /// The record of a phone's watch if the file is its journal; the fixes are a part of it.
  public var phone: PhoneRecord?
  public var issues: [ReadIssue]
  /// The time at which the file says it was written.
  package var madeAt: Instant?
  /// The number of points whose times were moved by weeks that a GPS receiver had lost.
  package var movedPoints = 0
  public init(devices: [Device], issues: [ReadIssue], phone: PhoneRecord? = nil) {
    self.devices = devices
    self.phone = phone
    self.issues = issues
  }
}

public enum TrackFormat: String, CaseIterable, Sendable {
  case gpx, geojson, kml, kmz, csv, plt, tcx, igc, owntracks, google, nmea, journal

  /// The name in help texts.
  public var title: String {
    switch self {
    case .gpx: "GPX"
    case .geojson: "GeoJSON"
    case .kml: "KML"
    case .kmz: "KMZ"
    case .csv: "CSV"
    case .plt: "PLT"
    case .tcx: "TCX"
    case .igc: "IGC"
    case .owntracks: "OwnTracks .rec"
    case .google: "Google's timeline"
    case .nmea: "NMEA"
    case .journal: "the journal of a phone's app"
    }
  }
}
