/// The exit status of a command.
package enum ExitStatus: Int32, Sendable {
  /// Done. A reader that closes our output early (`| head`) is no failure.
  case ok = 0
  /// Success with findings: a part of the input was left out.
  case findings = 1
  /// The command line is invalid.
  case badUsage = 2
  /// No input could be read, or the output could not be written.
  case badData = 3
  /// A mail that can never be accepted: mail servers return it to its sender (sysexits.h, EX_DATAERR).
  case refusedMail = 65
  /// An error on our side: mail servers keep the mail and try again (sysexits.h, EX_TEMPFAIL).
  case tryAgain = 75
  /// Stopped by Control-C, as shells count it (128 + SIGINT).
  case interrupted = 130
}

/// An invalid request, with a message for the person who made it.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
