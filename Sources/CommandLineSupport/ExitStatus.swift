/// What a command tells the shell.
package enum ExitStatus: Int32, Sendable {
  /// Done. A reader that closes our output early (`| head`) is no failure.
  case ok = 0
  /// Done, and there is something to look at: a part of the input was left out.
  case findings = 1
  /// The command was asked for in a way it does not understand.
  case badUsage = 2
  /// Nothing could be read, or the answer could not be written.
  case badData = 3
  /// A mail that will never do: mail servers return it to its sender (sysexits.h, EX_DATAERR).
  case refusedMail = 65
  /// Something of ours failed: mail servers keep the mail and try again (sysexits.h, EX_TEMPFAIL).
  case tryAgain = 75
  /// Stopped by Control-C, as shells count it (128 + SIGINT).
  case interrupted = 130
}

/// A request that cannot be carried out as it was put, in words for the person who put it.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
