import AlarmEngine
import Geometry
import Testing

@testable import PhoneHost

@Suite("Heights of a platform that is not written in Swift")
struct PhoneInputHeightTests {
  private func bigEndian(_ bits: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
  }

  /// One position with these bytes for its height.
  private func input(_ flags: UInt8, _ height: Double, _ error: Double) -> [UInt8] {
    let fix = [50.74, -0.04, 8].flatMap { bigEndian($0.bitPattern) } + bigEndian(1000) + bigEndian(2000)
    return bigEndian(2000) + bigEndian(5) + [3, 0, 0, 0, 0, 1] + fix
      + [-1.0, -1].flatMap { bigEndian($0.bitPattern) }
      + [flags] + bigEndian(height.bitPattern) + bigEndian(error.bitPattern)
  }

  private func altitude(_ flags: UInt8, _ height: Double, _ error: Double) throws -> Altitude? {
    guard
      case .positions(let fixes, ofRequest: false) = try PhoneInputBytes.read(input(flags, height, error))
        .input
    else { return nil }
    #expect(fixes.map(\.accuracy) == [.radius(.metres(8))])
    return fixes.first?.altitude
  }

  @Test func `a height comes with its error and what it is measured from`() throws {
    #expect(try altitude(0, 0, 0) == nil)
    #expect(try altitude(1, 440, 0) == Altitude(metres: 440, reference: .unknown))
    #expect(try altitude(3, 440, 4) == Altitude(metres: 440, error: 4, reference: .unknown))
    #expect(try altitude(7, 440, 4) == Altitude(metres: 440, error: 4, reference: .seaLevel))
    #expect(try altitude(5, 440, 0) == Altitude(metres: 440, reference: .seaLevel))
  }

  @Test func `a height that is none leaves the position`() throws {
    for (flags, height, error) in [(1, 0, 0), (3, 440, -1), (1, 1e8, 0), (6, 440, 4)]
      as [(UInt8, Double, Double)]
    {
      #expect(try altitude(flags, height, error) == nil, "\(flags) \(height) \(error)")
    }
  }

  @Test func `bytes that are no height are refused`() {
    #expect(throws: DataError.unknown) { try altitude(8, 0, 0) }
    #expect(throws: DataError.outOfRange) { try altitude(1, .nan, 0) }
    #expect(throws: DataError.outOfRange) { try altitude(3, 1, .infinity) }
    let whole = input(7, 440, 4)
    for length in 0..<whole.count {
      #expect(throws: DataError.self) { try PhoneInputBytes.read(Array(whole.prefix(length))) }
    }
  }
}
