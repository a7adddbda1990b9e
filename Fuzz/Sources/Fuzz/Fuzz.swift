import AlarmEngine
import Formats
import Foundation

/// libFuzzer calls this first: picks the parser that `PARSER` names in the environment; `PARSER=list` prints all.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  let name = ProcessInfo.processInfo.environment["PARSER"] ?? ""
  if let found = Parser.all.first(where: { $0.name == name }) {
    parser = found
    return 0
  }
  for parser in Parser.all { print(parser.name) }
  exit(name == "list" ? 0 : 2)
}

/// ... and this with one input after another. A trap is a finding, and so is anything that a parser's check refuses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser.check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

nonisolated(unsafe) private var parser = Parser.all[0]
