import CommandLineSupport
import CommandLineTestSupport

@testable import CommandLineTool

extension CapturedConsole {
  func run(_ arguments: String...) -> Int32 { run(Proximity.self, arguments) }
}
