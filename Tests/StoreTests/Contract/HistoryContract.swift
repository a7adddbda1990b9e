import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import Store

@Suite("Contract: imported history")
struct HistoryContract {
  typealias S = StoreSamples

  private static func times(_ fixes: [StoredFix]) -> [Double] {
    fixes.map { ($0.fix.measuredAt - S.time()).seconds }
  }

  private static func fixes(_ seconds: [Double]) -> [Fix] { seconds.map { S.fix($0, latitude: 47).fix } }

  @Test(arguments: StoreForm.allCases)
  func `the same fixes twice add nothing, in whatever parts, nor do those that were reported`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      // The last before midnight UTC: the sample's day begins at 0.
      let reported = [S.fix(-0.2), S.fix(100), S.fix(500)]
      _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: reported)] }
      let file: [Double] = [300, 0.1, 99.5, 101, 101.9, 102, 102.5, 0.8, 300, 499]
      let expected: [Double] = [0.8, 101, 102, 300, 499]
      let first = TrackImport(device: phone.id, name: "a.gpx", startedAt: S.time(1000))
      try await store.create(first, of: anna.id)
      var imported = first
      imported.fixesRead = file.count
      imported.share = 0.5
      imported = try await store.record(imported, adding: Self.fixes(file), of: anna.id)
      #expect(imported.fixesAdded == expected.count)
      #expect(imported.first == S.time(0.8) && imported.last == S.time(499))
      for size in 1...file.count {
        let again = TrackImport(device: phone.id, name: "again", startedAt: S.time(2000 + Double(size)))
        try await store.create(again, of: anna.id)
        for start in stride(from: 0, to: file.count, by: size) {
          let part = Array(file[start..<min(file.count, start + size)])
          let after = try await store.record(again, adding: Self.fixes(part), of: anna.id)
          #expect(after.fixesAdded == 0, "parts of \(size)")
        }
      }
      let history = try await store.history(
        of: phone.id, account: anna.id, in: IngestContract.always, limit: 100)
      #expect(Self.times(history) == [-0.2, 0.8, 100, 101, 102, 300, 499, 500])
      #expect(history[1].fix.receivedAt == S.time(1000) && history[0] == reported[0])
      let some = try await store.history(
        of: phone.id, account: anna.id, in: S.time(100)...S.time(499), limit: 3)
      #expect(Self.times(some) == [100, 101, 102])
      // A position that was imported first and is reported later exists once.
      _ = try await store.record {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(300.5), S.fix(498.01)])]
      }
      let merged = try await store.history(
        of: phone.id, account: anna.id, in: S.time(200)...S.time(600), limit: 100)
      #expect(Self.times(merged) == [300.5, 498.01, 500])
      #expect(try await store.imports(of: phone.id, account: anna.id).last == imported)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `no engine is made from what was imported, and the device's last position stays`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      _ = try await store.record(at: 15) {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(10)])]
      }
      let before = try await store.device(phone.id)
      let state = try await store.deviceState(phone.id, since: S.time(-1e9))
      let imported = TrackImport(device: phone.id, name: "", startedAt: S.time(20))
      try await store.create(imported, of: anna.id)
      _ = try await store.record(imported, adding: Self.fixes([-500, 5, 1e6]), of: anna.id)
      #expect(try await store.device(phone.id) == before)
      #expect(try await store.deviceState(phone.id, since: S.time(-1e9)) == state)
      let live = try await store.fixes(
        of: phone.id, account: anna.id, in: IngestContract.always, limit: 100)
      #expect(live == [S.fix(10)])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `imported positions keep their heights, what is not stated stays so`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let imported = TrackImport(device: phone.id, name: "climb.igc", startedAt: S.time(500))
      try await store.create(imported, of: anna.id)
      let heights: [Altitude?] = [
        Altitude(metres: 2310.5, error: 12, reference: .seaLevel), nil,
        Altitude(metres: -3, error: nil, reference: .unknown),
      ]
      let fixes = heights.enumerated().map { number, altitude in
        let fix = S.fix(Double(number) * 60).fix
        return Fix(
          position: fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt,
          receivedAt: fix.measuredAt, altitude: altitude)
      }
      _ = try await store.record(imported, adding: fixes, of: anna.id)
      let history = try await store.history(
        of: phone.id, account: anna.id, in: IngestContract.always, limit: 10)
      #expect(history.map(\.fix.altitude) == heights)
      #expect(history.map(\.altitude) == heights.map { $0?.height })
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an import is taken back in steps, and nobody else's`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let bob = try await store.makeAccount("bob")
      let phone = try await store.makeDevice("phone", of: anna)
      let imports = [0.0, 1].map { TrackImport(device: phone.id, name: "\($0)", startedAt: S.time($0)) }
      for (index, each) in imports.enumerated() {
        try await store.create(each, of: anna.id)
        let times = (0..<5).map { Double($0 * 20 + index * 10) }
        _ = try await store.record(each, adding: Self.fixes(times), of: anna.id)
      }
      await #expect(throws: StoreError.notFound) {
        try await store.removeImport(imports[0].id, of: phone.id, account: bob.id, limit: 100)
      }
      await #expect(throws: StoreError.notFound) {
        try await store.create(
          TrackImport(device: phone.id, name: "", startedAt: S.time()), of: bob.id)
      }
      #expect(try await !store.removeImport(imports[0].id, of: phone.id, account: anna.id, limit: 3))
      #expect(try await store.removeImport(imports[0].id, of: phone.id, account: anna.id, limit: 3))
      let rest = try await store.history(
        of: phone.id, account: anna.id, in: IngestContract.always, limit: 100)
      #expect(Self.times(rest) == [10, 30, 50, 70, 90])
      // Adding to an import that has ended fails.
      await #expect(throws: StoreError.notFound) {
        try await store.record(imports[0], adding: Self.fixes([7]), of: anna.id)
      }
      #expect(try await store.imports(of: phone.id, account: anna.id).map(\.name) == ["1.0"])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `imported positions are kept as long after the import as reported ones after they were measured`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let imported = TrackImport(device: phone.id, name: "", startedAt: S.time())
      try await store.create(imported, of: anna.id)
      let years = (0..<5).map { Double($0) * -86_400 * 365 }
      _ = try await store.record(imported, adding: Self.fixes(years), of: anna.id)
      let empty = TrackImport(device: phone.id, name: "nothing new", startedAt: S.time())
      try await store.create(empty, of: anna.id)
      var retention = Retention()
      retention.fixesBefore = S.time(-86_400 * 30)
      #expect(try await store.prune(retention, limit: 100) == 0)
      let range = IngestContract.always
      #expect(try await store.history(of: phone.id, account: anna.id, in: range, limit: 9).count == 5)
      // An import that added nothing is listed for a day.
      var late = Retention()
      late.expiredBefore = S.time(1)
      #expect(try await store.prune(late, limit: 100) == 1)
      #expect(try await store.imports(of: phone.id, account: anna.id).map(\.id) == [imported.id])
      retention.fixesBefore = S.time(1)
      var steps = 0
      while try await store.prune(retention, limit: 2) > 0 { steps += 1 }
      #expect(steps >= 3)
      #expect(try await store.history(of: phone.id, account: anna.id, in: range, limit: 9).isEmpty)
      #expect(try await store.imports(of: phone.id, account: anna.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `with a device goes what was imported for it, and an account takes it along before`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let imported = TrackImport(device: phone.id, name: "old.gpx", startedAt: S.time())
      try await store.create(imported, of: anna.id)
      _ = try await store.record(imported, adding: Self.fixes((0..<7).map { Double($0) * 60 }), of: anna.id)
      let rows = Collected<ExportRow>()
      try await store.export(anna.id) { rows.append($0) }
      #expect(rows.all.count { $0.table == "imported_fix" } == 7)
      #expect(rows.all.count { $0.table == "track_import" && "\($0)".contains("old.gpx") } == 1)
      try await store.deleteDevice(phone.id, of: anna.id, at: S.time(2))
      var steps = 0
      while try await store.prune(Retention(), limit: 3) > 0 { steps += 1 }
      #expect(steps == 3)
    }
  }
}
