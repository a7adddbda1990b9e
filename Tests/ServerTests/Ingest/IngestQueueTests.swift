import AlarmEngine
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Ingest queue")
struct IngestQueueTests {
  private static func job(_ weight: Int = 1, of device: UInt64 = 1) -> IngestJob {
    let place = TestPlaces.inside
    let fixes = (0..<(weight - 1)).map { number in
      StoredFix(
        Fix(position: place, accuracy: .unstated, measuredAt: TestServer.start + .seconds(Double(number))))
    }
    return IngestJob(work: .report(DeviceReport(device: DeviceID(rawValue: device), fixes: fixes))) { _ in }
  }

  private static func isFull(_ admission: IngestQueue.Admission) -> Bool {
    if case .full = admission { true } else { false }
  }

  @Test func `takes no more than it holds, and again when there is room`() throws {
    let queue = IngestQueue(capacity: 10, batchWeight: 4)
    for _ in 0..<10 { #expect(!Self.isFull(queue.add(Self.job()))) }
    #expect(Self.isFull(queue.add(Self.job())))
    #expect(queue.take()?.count == 4)
    #expect(!Self.isFull(queue.add(Self.job(4))))
    #expect(Self.isFull(queue.add(Self.job())))
  }

  @Test func `a large batch is taken when nothing else waits, and goes alone`() {
    let queue = IngestQueue(capacity: 10, batchWeight: 4)
    #expect(!Self.isFull(queue.add(Self.job(50))))
    #expect(Self.isFull(queue.add(Self.job())))
    #expect(queue.take()?.map(\.weight) == [50])
    #expect(queue.take() == nil)
  }

  @Test func `one drains at a time, and whoever comes after the end begins again`() {
    let queue = IngestQueue()
    func drains() -> Bool { if case .admitted(let drain) = queue.add(Self.job()) { drain } else { false } }
    #expect(drains())
    #expect(!drains())
    #expect(queue.take()?.count == 2)
    #expect(!drains())
    #expect(queue.take()?.count == 1)
    #expect(queue.take() == nil)
    #expect(drains())
  }

  @Test func `beside a transaction nothing is taken until enough waits, then those of other devices`() {
    let queue = IngestQueue(batchWeight: 8, besideWeight: 6)
    let written: Set = [DeviceID(rawValue: 1)]
    func drains(_ fixes: Int, _ device: UInt64) -> Bool {
      if case .admitted(let drain) = queue.add(Self.job(fixes, of: device)) { drain } else { false }
    }
    #expect(drains(2, 1))
    #expect(queue.take(besides: written) == nil)
    #expect(!drains(2, 2), "too little to begin beside it")
    #expect(queue.take(besides: written) == nil)
    #expect(drains(2, 3))
    #expect(queue.take(besides: written)?.compactMap(\.device?.rawValue) == [2, 3])
    #expect(queue.take(atMost: 8, besides: written) == nil)
    #expect(queue.take()?.compactMap(\.device?.rawValue) == [1])
    #expect(queue.take() == nil)
    #expect(drains(1, 1), "nothing is written, so the next one is begun with at once")
  }

  @Test func `closed, it takes nothing, and what waits is still written`() {
    let queue = IngestQueue()
    _ = queue.add(Self.job())
    queue.close()
    guard case .closed = queue.add(Self.job()) else {
      Issue.record("taken")
      return
    }
    #expect(queue.take()?.count == 1)
  }

  @Test func `what is put back comes first, though the queue is full or closed`() {
    let queue = IngestQueue(capacity: 4, batchWeight: 4)
    #expect(!Self.isFull(queue.add(Self.job(4))))
    #expect(!queue.putBack([Self.job(2), Self.job(1)]), "somebody drains already")
    #expect(queue.take()?.map(\.weight) == [2, 1])
    #expect(queue.take()?.map(\.weight) == [4])
    #expect(queue.take() == nil && queue.waiting == 0)
    queue.close()
    #expect(!queue.putBack([]))
    #expect(queue.putBack([Self.job(3)]))
    #expect(queue.take()?.map(\.weight) == [3])
  }
}
