import CHeap
import Glibc

/// The CPU time of this thread in seconds, on which other processes have little influence.
func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}

/// Bytes in use on the heap.
func heapBytes() -> Int { Int(heap_bytes()) }

/// Returns the median of several passes, in nanoseconds for one of `count` operations.
func nanoseconds(_ passes: Int, for count: Int, _ body: () -> Void) -> Double {
  var times: [Double] = []
  for _ in 0..<passes {
    let start = threadSeconds()
    measuredPass(body)
    times.append((threadSeconds() - start) * 1e9 / Double(count))
  }
  times.sort()
  return times[passes / 2]
}

/// Runs `body` under a function name by which valgrind can count its instructions.
@inline(never) func measuredPass(_ body: () -> Void) { body() }

/// One line of results, in the form that all engines print.
struct Row {
  let engine: String
  let workload: String
  let operation: String
  let count: Int
  let nanoseconds: Double
  let hits: Int
  let sum: UInt64
  let buildSeconds: Double
  let megabytes: Double

  func write() {
    let figures = [nanoseconds, buildSeconds, megabytes].map { number -> String in
      let thousandths = Int((number * 1000).rounded())
      let rest = String(thousandths % 1000)
      return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
    let hash = String(sum, radix: 16)
    print(
      engine, workload, operation, "\(count)", figures[0], "\(hits)",
      String(repeating: "0", count: 16 - hash.count) + hash, figures[1], figures[2], separator: "\t")
    flush_output()
  }
}
