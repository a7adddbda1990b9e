import Formats
import Foundation

/// Merges several track files: the fixes of each device together, from all files.
///
/// A device without a name is named after its file. Devices with the same name are taken for one phone, which
/// is reported.
package struct MergedTracks {
  private let areSeveral: Bool
  private var devices: [TrackFile.Device] = []
  private var files: [String: [String]] = [:]
  /// The phone's journal of the only file; nil with several files.
  package private(set) var phone: PhoneRecord?

  package init(areSeveral: Bool) { self.areSeveral = areSeveral }

  package mutating func add(_ file: TrackFile, of path: String) {
    phone = areSeveral ? nil : file.phone
    for device in file.devices where !device.points.isEmpty {
      let name = areSeveral && device.name.isEmpty ? Self.name(path) : device.name
      if let index = devices.firstIndex(where: { $0.name == name }) {
        devices[index].points += device.points
      } else {
        devices.append(TrackFile.Device(name: name, points: device.points))
      }
      files[name, default: []].append(InputFiles.name(path))
    }
  }

  package var track: TrackFile { TrackFile(devices: devices, issues: []) }

  /// One sentence for each device that occurs in several files.
  package var shared: [String] {
    devices.compactMap { device in
      guard let files = files[device.name], files.count > 1 else { return nil }
      return
        "device \(printable(device.name)) is in \(files.joined(separator: " and ")): merged into one phone"
    }
  }

  /// The file's name without folder and extension.
  private static func name(_ path: String) -> String {
    if path == InputFiles.standardInput { return "standard input" }
    var url = URL(fileURLWithPath: path)
    if url.pathExtension.lowercased() == "gz" { url.deletePathExtension() }
    return url.deletingPathExtension().lastPathComponent
  }
}
