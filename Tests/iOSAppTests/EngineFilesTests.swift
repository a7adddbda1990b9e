import AppleFakes
import Foundation
import PhoneHost
import PhoneSimulator
import Testing

@testable import ProximityApp

@MainActor
@Suite("The iOS app's files", .serialized)
struct EngineFilesTests {
  /// Runs within a running application: one that has ended writes nothing.
  private func within(_ body: @MainActor (EngineFiles, URL) throws -> Void) throws {
    let rig = try AppRig(Town.day())
    rig.phone.openApplication()
    let folder = rig.folder.appendingPathComponent("Own")
    var failure: (any Error)?
    rig.phone.perform { _ in
      MainActor.assumeIsolated {
        do { try body(EngineFiles(folder: folder), folder) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  @Test func `what was kept is read again`() throws {
    try within { files, folder in
      #expect(files.read() == .none)
      files.keep(.replace([1, 2, 3]))
      #expect(files.read() == .kept(snapshot: [1, 2, 3], journal: []))
      files.keep(.append([4]))
      files.keep(.append([5, 6]))
      #expect(files.read() == .kept(snapshot: [1, 2, 3], journal: [4, 5, 6]))
      let again = EngineFiles(folder: folder)
      again.keep(.append([7]))
      #expect(again.read() == .kept(snapshot: [1, 2, 3], journal: [4, 5, 6, 7]))
      again.keep(.replace([8]))
      again.keep(.append([9]))
      #expect(again.read() == .kept(snapshot: [8], journal: [9]))
      let export = try JournalExport.read([UInt8](again.journalForExport))
      #expect(
        export.parts == [.snapshot([1, 2, 3]), .journal([4, 5, 6, 7]), .snapshot([8]), .journal([9])])
      #expect(!export.isCut)
    }
  }

  @Test func `of the past, the latest that has room is kept`() throws {
    try within { files, folder in
      for number in UInt8(0)..<12 {
        files.keep(.replace([number]))
        files.keep(.append([UInt8](repeating: number, count: 1 << 20)))
      }
      let past = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent("history"), includingPropertiesForKeys: [.fileSizeKey])
      let total = try past.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
      #expect(total <= EngineFiles.largestPast && total > EngineFiles.largestPast - (2 << 20))
      let parts = try JournalExport.read([UInt8](files.journalForExport)).parts
      let states = parts.compactMap { if case .snapshot(let bytes) = $0 { bytes[0] } else { nil } }
      #expect(states == Array(4..<12), "\(states)")
    }
  }

  @Test func `a snapshot that was not finished changes nothing`() throws {
    try within { files, folder in
      files.keep(.replace([1]))
      try Data([9, 9]).write(to: folder.appendingPathComponent("snapshot.new"))
      #expect(files.read() == .kept(snapshot: [1], journal: []))
      files.keep(.replace([2]))
      #expect(files.read() == .kept(snapshot: [2], journal: []))
    }
  }

  @Test func `files that are there and cannot be read are not taken for none`() throws {
    try within { files, folder in
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("snapshot"), withIntermediateDirectories: true)
      #expect(files.read() == .locked)
    }
  }

  @Test func `an app that cannot read its files says so, keeps them, and watches once it can`() throws {
    let rig = try AppRig(Town.day())
    rig.setUp(Town.dayZones)
    let snapshot = rig.folder.appendingPathComponent("Data/snapshot")
    let aside = rig.folder.appendingPathComponent("aside")
    rig.phone.crash()
    try FileManager.default.moveItem(at: snapshot, to: aside)
    try FileManager.default.createDirectory(at: snapshot, withIntermediateDirectories: false)
    rig.phone.openApplication()
    rig.run(for: .seconds(1))
    #expect(rig.told("files").count == 1)
    #expect(rig.permissions.contains("\"locked\":true"))
    try FileManager.default.removeItem(at: snapshot)
    try FileManager.default.moveItem(at: aside, to: snapshot)
    rig.phone.perform { _ in
      NotificationCenter.default.post(
        name: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil)
    }
    rig.run(for: .seconds(1))
    #expect(rig.permissions.contains("\"watching\":true"))
    #expect(!rig.fake.notificationCentre.standing.contains("files"))
  }

  @Test func `lost and damaged files are told, and the zones are still watched`() throws {
    let harms: [(String, (URL) throws -> Void)] = [
      ("a damaged snapshot", { try Data([0, 1, 2]).write(to: $0.appendingPathComponent("snapshot")) }),
      ("no snapshot", { try FileManager.default.removeItem(at: $0.appendingPathComponent("snapshot")) }),
      ("no journal", { try FileManager.default.removeItem(at: $0.appendingPathComponent("journal")) }),
      (
        "no file but the history",
        { data in
          for name in ["snapshot", "journal"] {
            try FileManager.default.removeItem(at: data.appendingPathComponent(name))
          }
        }
      ),
    ]
    for (words, harm) in harms {
      let rig = try AppRig(Town.day())
      rig.setUp(Town.dayZones)
      rig.phone.crash()
      try harm(rig.folder.appendingPathComponent("Data"))
      rig.phone.openApplication()
      rig.run(for: .seconds(1))
      #expect(rig.told("files").count == 1, "\(words)")
      #expect(rig.permissions.contains("\"watching\":true"), "\(words)")
      rig.on { #expect($0.engine?.zone(Town.dayZones[0].id) == Town.dayZones[0], "\(words)") }
    }
  }

  @Test func `where all files are lost, the fences that stand say that there were zones`() throws {
    let rig = try AppRig(Town.day())
    rig.setUp(Town.dayZones)
    rig.run(for: .minutes(20))
    try #require(!rig.asked().watched.isEmpty)
    rig.phone.crash()
    try FileManager.default.removeItem(at: rig.folder.appendingPathComponent("Data"))
    rig.phone.openApplication()
    rig.run(for: .seconds(1))
    #expect(rig.told("files").count == 1)
  }

  @Test func `a write that failed is told, and made up for with the next input`() throws {
    let rig = try AppRig(Town.day())
    rig.setUp(Town.dayZones)
    let data = rig.folder.appendingPathComponent("Data")
    func zones() throws -> Int {
      try WatchSnapshot.read([UInt8](Data(contentsOf: data.appendingPathComponent("snapshot")))).timeline
        .zones.count
    }
    // A folder in its place takes no write, as a full disk does.
    let fresh = data.appendingPathComponent("snapshot.new")
    try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: false)
    rig.on { $0.engine?.setZones(Array(Town.dayZones.dropLast()), .phone) }
    #expect(!rig.told("files").isEmpty)
    #expect(try zones() == Town.dayZones.count)
    try FileManager.default.removeItem(at: fresh)
    rig.on { $0.engine?.conditionsChanged() }
    #expect(try zones() == Town.dayZones.count - 1)
  }
}
