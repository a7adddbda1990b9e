import ArgumentParser
import Formats

extension Program {
  /// Reports an error on the console.
  /// - Returns: the exit status for it.
  package static func report(_ error: any Error, on console: Console) -> Int32 {
    switch error {
    case OutputError.closed:
      return ExitStatus.ok.rawValue
    case let error as OutputError:
      console.complain("error: \(error)")
      return ExitStatus.badData.rawValue
    case let error as ReadError:
      console.complain("error: \(printable(error.description))")
      return ExitStatus.badData.rawValue
    case is CancellationError:
      console.complain("stopped")
      return ExitStatus.interrupted.rawValue
    case let error as UsageError:
      console.complain("error: \(error)")
      return ExitStatus.badUsage.rawValue
    case let code as ExitCode:
      return usual(code)
    default:
      return reportParserError(error, on: console)
    }
  }

  /// Handles the parser's own errors: requests for help, and invalid command lines.
  private static func reportParserError(_ error: any Error, on console: Console) -> Int32 {
    let code = exitCode(for: error)
    let words = fullMessage(for: error)
    if code.isSuccess {
      try? console.print(words)
    } else if !words.isEmpty {
      console.complain(words)
    }
    return usual(code)
  }

  /// The parser returns 64 for bad usage; our contract requires 2.
  private static func usual(_ code: ExitCode) -> Int32 {
    code == .validationFailure ? ExitStatus.badUsage.rawValue : code.rawValue
  }
}
