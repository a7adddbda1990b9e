/// Carries out commands one after the other, also those that come while one is being carried out: a platform that answers
/// at once would else do later ones before earlier ones.
public final class OrderQueue {
  private var waiting: [PhoneCommand] = []
  private var isBusy = false

  public init() {}

  public func add(_ commands: [PhoneCommand], carryOut: (PhoneCommand) -> Void) {
    waiting += commands
    guard !isBusy else { return }
    isBusy = true
    while !waiting.isEmpty { carryOut(waiting.removeFirst()) }
    isBusy = false
  }
}
