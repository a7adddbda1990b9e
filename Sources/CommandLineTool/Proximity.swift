import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Cryptography
import Formats
import Foundation

@main
struct Proximity: Program {
  static let configuration = CommandConfiguration(
    commandName: "proximity", abstract: "An alarm clock whose trigger is a place.",
    discussion: """
      Exit status: 0 done, 1 done with findings, 2 bad usage, 3 nothing could be read.
      """,
    version: ProductVersion.text.string,
    subcommands: [
      Serve.self, Replay.self, Locate.self, Explain.self, Zones.self, Places.self,
      PackFiles.self, StreetMaps.self,
      RegionImport.self, HistoryImport.self, HistoryReport.self,
      UserAdministration.self, DeviceAdministration.self, TokenAdministration.self, ShareAdministration.self,
      GroupAdministration.self, DeputyAdministration.self, CompanionAdministration.self,
      Backup.self,
      DatabaseAdministration.self, MovedSimulate.self,
    ])

  @MainActor static func main() async { await runProcess() }

  static func prepared(_ arguments: [String]) -> [String] { Locate.withPlaceShielded(arguments) }

  static func checkSystem() throws {
    let missing = SystemOpenSSL.missing()
    guard missing.isEmpty else {
      throw ReadError(
        "this system's OpenSSL does not offer \(missing.joined(separator: ", ")), which this program needs: check the "
          + "settings of openssl.cnf")
    }
  }
}
