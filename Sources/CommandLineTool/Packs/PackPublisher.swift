import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Delivery
import Formats
import Packs
import Server
import Store

/// Publishes an account's collection as a signed pack, for operators of the server.
struct PackPublisher: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publishes a collection of the server as a signed pack. The server may keep running.",
    discussion: """
      Prints the pack's path on the server and the public key for following it. A pack already published keeps its path. \
      --new-key signs all packs of the account with a new key from now on, a successor of the current one: followers \
      accept it without any action. --end removes the published pack; followers keep the zones they have.
      """)

  @OptionGroup var options: DataOptions
  @Argument(help: "The collection's name or id.") var collection: String
  @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
  @Flag(help: "Change the account's key first.") var newKey = false
  @Flag(help: "End the publication.") var end = false

  func validate() throws {
    if newKey, end { throw ValidationError("--new-key found with --end, one of them allowed") }
  }

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let (user, wanted, ends, isNewKey) = (user, collection, end, newKey)
    let lines = try await options.work { store -> [String] in
      let account = try await store.account(login: user).id
      let id = try await Self.find(wanted, of: account, in: store)
      if ends {
        try await store.endPack(of: id, owner: account)
        return []
      }
      let now = ServerClock.system.now()
      let pack = try await store.publish(id, of: account, at: Secrets.random(), now: now)
      let cache = PackCache(store: store)
      var key = try await cache.key(of: account, now: now)
      if isNewKey {
        key = try await cache.changeKey(of: account, from: PackDigest.keyID(of: key.publicKey), now: now).key
      }
      return ["/packs/\(pack.address)", Base64URL.encode(key.publicKey)]
    }
    for line in lines { try console.print(line) }
    return .ok
  }

  private static func find(
    _ wanted: String, of account: AccountID, in store: SQLStore
  ) async throws -> CollectionID {
    var own: [ZoneCollection] = []
    var last: CollectionID?
    repeat {
      let page = try await store.collections(seenBy: account, after: last, limit: 500)
      own += page.map(\.collection).filter { $0.owner == account }
      last = page.count == 500 ? page.last?.collection.id : nil
    } while last != nil
    if let found = own.first(where: { $0.id == CollectionID(wanted) }) { return found.id }
    let named = own.filter { $0.name == wanted }
    if named.count == 1 { return named[0].id }
    let there = own.map { "\($0.id) \(printable($0.name))" }.joined(separator: ", ")
    throw UsageError(
      "collection \(printable(wanted)) not found; the account has \(there.isEmpty ? "none" : there)")
  }
}
