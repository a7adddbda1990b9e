import AlarmEngine
import ZoneFormats

extension ZoneFileBuilder {
  func finished() -> ZoneFile {
    var file = ZoneFile(zones: zones, issues: listedIssues)
    file.lines = lines
    file.foreign = foreign
    return file
  }
}
