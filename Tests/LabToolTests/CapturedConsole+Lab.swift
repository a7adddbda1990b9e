import CommandLineSupport
import CommandLineTestSupport

@testable import LabTool

extension CapturedConsole {
  func run(_ arguments: String...) -> Int32 { run(ProximityLab.self, arguments) }
}
