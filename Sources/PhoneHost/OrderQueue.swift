/// Carries out commands one after the other, including those that arrive while one is being carried out.
/// Otherwise a platform that answers at once would carry out later commands before earlier ones.
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
