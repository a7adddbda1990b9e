import AlarmEngine
import Formats
import Foundation

/// Selects the parser that the environment variable `PARSER` names; `PARSER=list` prints all names. libFuzzer
/// calls this function first.
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

/// Checks one input. libFuzzer calls this function for each input; every trap and every failed precondition
/// of a check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser.check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

nonisolated(unsafe) private var parser = Parser.all[0]
