import NIOConcurrencyHelpers
import NIOCore

/// A connection that the broker has accepted.
package final class MQTTSession: Sendable {
  /// The time limit for an answer of the broker.
  static let patience = TimeAmount.seconds(10)

  private struct Book {
    var last: UInt16 = 0
    var waiting: [UInt16: CheckedContinuation<[UInt8], any Error>] = [:]
    var end: MQTTFailure?
  }
  /// True if the broker still had our subscriptions and the messages that arrived meanwhile.
  package let isResumed: Bool
  private let channel: any Channel
  private let outbound: NIOAsyncChannelOutboundWriter<MQTTPacket>
  private let book = NIOLockedValueBox(Book())

  init(
    isResumed: Bool, channel: any Channel, outbound: NIOAsyncChannelOutboundWriter<MQTTPacket>
  ) {
    self.isResumed = isResumed
    self.channel = channel
    self.outbound = outbound
  }

  /// Publishes with QoS 1; returns when the broker has acknowledged the message. It may have been published
  /// even if this throws.
  package func publish(
    _ topic: String, _ payload: [UInt8], isRetained: Bool = false
  ) async throws(MQTTFailure) {
    _ = try await ask("publishing") { id in
      .publish(MQTTMessage(topic: topic, payload: payload, isRetained: isRetained, id: id))
    }
  }

  /// Subscribes. The broker then sends the messages retained under the filters.
  /// - Parameter qos: the highest QoS with which the broker sends, 0 or 1. With 0 it keeps no messages while
  ///   this client is disconnected.
  /// - Throws: `.subscriptionRefused` for the first filter that the broker refuses.
  package func subscribe(_ filters: [String], qos: UInt8 = 1) async throws(MQTTFailure) {
    let answers = try await ask("subscribing") { .subscribe($0, filters, qos: qos) }
    for (filter, answer) in zip(filters, answers) where answer > 1 { throw .subscriptionRefused(filter) }
  }

  /// Acknowledges a message. The broker never sends it again.
  func acknowledge(_ id: UInt16) async throws { try await outbound.write(.puback(id)) }

  func ping() async throws { try await outbound.write(.pingreq) }

  /// Ends the connection.
  package func end(_ failure: MQTTFailure) {
    book.withLockedValue { $0.end = $0.end ?? failure }
    channel.close(promise: nil)
  }

  /// The reason why the connection ended; nil if unknown.
  var failure: MQTTFailure? { book.withLockedValue { $0.end } }

  private func ask(
    _ step: String, _ packet: (UInt16) -> MQTTPacket
  ) async throws(MQTTFailure) -> [UInt8] {
    guard let id = number() else { throw .connectionLost }
    let packet = packet(id)
    let timer = channel.eventLoop.scheduleTask(in: Self.patience) { [self] in
      answer(id, .failure(.timedOut(during: step)))
    }
    defer { timer.cancel() }
    do {
      return try await withCheckedThrowingContinuation { continuation in
        let isOpen = book.withLockedValue { book in
          guard book.end == nil else { return false }
          book.waiting[id] = continuation
          return true
        }
        guard isOpen else { return continuation.resume(throwing: MQTTFailure.connectionLost) }
        Task { [self] in
          do { try await outbound.write(packet) } catch { answer(id, .failure(.connectionLost)) }
        }
      }
    } catch let failure as MQTTFailure {
      throw failure
    } catch { throw .connectionLost }
  }

  /// An unused packet identifier; nil if all 65,535 are in use.
  private func number() -> UInt16? {
    book.withLockedValue { book in
      for _ in 0..<UInt16.max {
        book.last = book.last == .max ? 1 : book.last + 1
        if book.waiting[book.last] == nil { return book.last }
      }
      return nil
    }
  }

  /// Passes the broker's answer to its caller; an answer without a waiting caller is ignored.
  func answer(_ id: UInt16, _ result: Result<[UInt8], MQTTFailure>) {
    let waiting = book.withLockedValue { $0.waiting.removeValue(forKey: id) }
    waiting?.resume(with: result.mapError { $0 })
  }

  /// Fails all waiting callers.
  func close() {
    let waiting = book.withLockedValue { book in
      book.end = book.end ?? .connectionLost
      defer { book.waiting = [:] }
      return book.waiting
    }
    for continuation in waiting.values { continuation.resume(throwing: MQTTFailure.connectionLost) }
  }
}
