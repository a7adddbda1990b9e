import Dispatch
import Foundation
import NIOConcurrencyHelpers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process that ends when this process does, however this process ends.
///
/// A shell starts the program and holds the reading end of a pipe, the lifeline. The system closes the writing end when this
/// process ends, even by SIGKILL; the shell then reads the end of the file and sends SIGTERM to the program. `end` closes the
/// writing end too, so that there is one way to end. PR_SET_PDEATHSIG is no substitute: that signal comes when the starting
/// *thread* ends, and never to a program with file capabilities, which Caddy may need for port 443.
final class CaddyProcess: Sendable {
  /// The lines of its standard error. Finishes when the program has ended.
  let lines: AsyncStream<String>

  private struct State {
    /// The writing end; nil once it is closed.
    var lifeline: CInt?
    var hasEnded = false
  }
  private let state: NIOLockedValueBox<State>
  /// The shell, which leads a process group of its own, so that Control-C at the terminal does not reach it.
  private let shell: pid_t

  /// The time from `end` to SIGKILL.
  static let killedAfter = DispatchTimeInterval.seconds(4)

  static let script = """
    exec 3<&0 </dev/null
    "$@" 3<&- &
    program=$!
    { read -r _; kill "$program"; } <&3 >/dev/null 2>&1 &
    watcher=$!
    exec 3<&-
    wait "$program"
    status=$?
    kill "$watcher" 2>/dev/null
    exit "$status"
    """

  /// - Parameter command: the program's path and arguments.
  /// - Throws: `CaddyFailure.notStarted`
  init(_ command: [String], environment: [String: String]) throws(CaddyFailure) {
    let lifeline = try Self.pipe()
    let output: (reading: CInt, writing: CInt)
    do { output = try Self.pipe() } catch {
      for end in [lifeline.reading, lifeline.writing] { close(end) }
      throw error
    }
    let started = Self.spawn(
      ["/bin/sh", "-c", Self.script, "sh"] + command,
      environment: environment.map { "\($0.key)=\($0.value)" }.sorted(), input: lifeline.reading,
      output: output.writing)
    for end in [lifeline.reading, output.writing] { close(end) }
    guard case .success(let shell) = started else {
      for end in [lifeline.writing, output.reading] { close(end) }
      guard case .failure(let failure) = started else { preconditionFailure("neither success nor failure") }
      throw failure
    }
    self.shell = shell
    let state = NIOLockedValueBox(State(lifeline: lifeline.writing))
    self.state = state
    let (lines, lineSink) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    let reading = output.reading
    // A thread of its own, since reading and waiting block.
    Thread.detachNewThread {
      Self.read(reading) { lineSink.yield($0) }
      close(reading)
      var status: CInt = 0
      while waitpid(shell, &status, 0) < 0, errno == EINTR {}
      state.withLockedValue {
        $0.hasEnded = true
        if let file = $0.lifeline.take() { close(file) }
      }
      lineSink.finish()
    }
  }

  deinit { end() }

  /// Asks the program to end. Does nothing the second time.
  func end() {
    let wasOpen = state.withLockedValue { state in
      guard let file = state.lifeline.take() else { return false }
      close(file)
      return true
    }
    guard wasOpen else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.killedAfter) { [state, shell] in
      state.withLockedValue { if !$0.hasEnded { kill(-shell, SIGKILL) } }
    }
  }

  /// A pipe that no other program inherits.
  private static func pipe() throws(CaddyFailure) -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ command: [String], environment: [String], input: CInt, output: CInt
  ) -> Result<pid_t, CaddyFailure> {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The server ignores the signals that it waits for; its children must not.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = (command.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
    defer { for text in arguments.0 + arguments.1 { free(text) } }
    var shell: pid_t = 0
    let code = posix_spawn(&shell, command[0], &actions, &attributes, arguments.0, arguments.1)
    return code == 0 ? .success(shell) : .failure(.notStarted(String(cString: strerror(code))))
  }

  /// Reads to the end of the file; lines of more than 64 KiB come in pieces.
  private static func read(_ file: CInt, _ take: (String) -> Void) {
    var (rest, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = buffer.withUnsafeMutableBytes { readBytes(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
      if rest.count >= buffer.count {
        take(String(decoding: rest, as: UTF8.self))
        rest = []
      }
    }
    if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self)) }
  }
}

/// The system's `pipe`, which a method of that name hides.
private func systemPipe(_ ends: UnsafeMutablePointer<CInt>) -> CInt { pipe(ends) }

/// The system's `read`, which a method of that name hides.
private func readBytes(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
