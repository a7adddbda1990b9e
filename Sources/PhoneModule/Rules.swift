import AlarmEngine
import Geometry
import PhoneHost

// Native functions of the Java class `app.proximity.Engine` that only compute values that the platform needs
// to carry out commands. They use no state and may be called from any thread.

/// `static native int reportOutcome(int status)`: ``ReportOutcome`` by its number.
@_cdecl("Java_app_proximity_Engine_reportOutcome")
public func reportOutcome(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ status: Int32
) -> Int32 {
  Int32(ReportOutcome(status: Int(status)).rawValue)
}

/// `static native int reportFileBytes()`
@_cdecl("Java_app_proximity_Engine_reportFileBytes")
public func reportFileBytes(_ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer) -> Int32
{
  Int32(ReportLimits.fileBytes)
}

/// `static native int reportFiles()`
@_cdecl("Java_app_proximity_Engine_reportFiles")
public func reportFiles(_ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer) -> Int32 {
  Int32(ReportLimits.files)
}

/// `static native long soundLength(long since_ms, boolean isUntilClosed)`: milliseconds; `since_ms` is negative for an alarm
/// that did not sound last.
@_cdecl("Java_app_proximity_Engine_soundLength")
public func soundLength(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ since: Int64,
  _ isUntilClosed: UInt8
) -> Int64 {
  SoundPlan.length(since: since < 0 ? nil : .milliseconds(since), untilClosed: isUntilClosed != 0)
    .milliseconds
}

/// `static native int loudness(long since_ms)`: millionths of full.
@_cdecl("Java_app_proximity_Engine_loudness")
public func loudness(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ since: Int64
) -> Int32 {
  Int32(SoundPlan.loudness(since: .milliseconds(since)))
}

/// `static native byte[] moved(byte[] journal)`: the journal for other people (``MovedJournal``), turned and lifted by
/// chance.
@_cdecl("Java_app_proximity_Engine_moved")
public func moved(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ journal: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  guard let journal = call.bytes(journal, atMost: mostOfFile) else { return nil }
  do {
    var random = SystemRandomNumberGenerator()
    return call.array(try MovedJournal.bytes(of: journal, using: &random))
  } catch {
    call.refuse(error.sentence)
    return nil
  }
}
