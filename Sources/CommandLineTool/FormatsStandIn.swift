import AlarmEngine
import Formats
import Foundation
import Geometry

/// Stands in until `Formats` reads zones; to be deleted with the first commit that does.
extension ZoneFile {
  static func read(
    contentsOf url: URL, format: ZoneFormat?, defaultRadius: Distance, progress: ReadProgress?
  ) throws -> ZoneFile {
    guard let data = try? Data(contentsOf: url) else { throw ReadError("\(url.path) cannot be opened") }
    let reader = PADReader.read(Array(data))
    return ZoneFile(zones: reader.zones, issues: [])
  }
}
