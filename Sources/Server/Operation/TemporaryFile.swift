import AlarmService
import Foundation
import Hummingbird
import NIOCore
import NIOPosix

/// A file without a name: the system deletes it when it is no longer open, also after a crash.
final class TemporaryFile: Sendable {
  private let handle: FileHandle

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "proximity-" + Secrets.random(), isDirectory: false)
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    unlink(url.path)
  }

  func append(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

  /// The whole content, read in pieces off the event loops.
  func body() throws -> ResponseBody {
    let size = Int(try handle.offset())
    return ResponseBody(contentLength: size) { [self] writer in
      try handle.seek(toOffset: 0)
      while let chunk = try await NIOThreadPool.singleton.runIfActive({
        try self.handle.read(upToCount: 256 << 10)
      }),
        !chunk.isEmpty
      { try await writer.write(ByteBuffer(bytes: chunk)) }
      try await writer.finish(nil)
    }
  }
}
