import Hummingbird
import Logging
import NIOCore

/// What Hummingbird knows of a request.
struct AppContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Nil where there is no network: tests.
  let peer: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
