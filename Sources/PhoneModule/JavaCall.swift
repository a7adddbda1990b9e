/// A call from Java: the arguments of every native function, and the few functions of the Java VM that this
/// library uses.
///
/// The VM passes a table of functions. The functions used are named by their index in it, which never
/// changes. Source: Java Native Interface Specification, chapter 4, "JNI Functions" (the index stands at each
/// function).
struct JavaCall {
  typealias Reference = UnsafeMutableRawPointer
  typealias Environment = UnsafeMutablePointer<UnsafePointer<UnsafeRawPointer?>>

  private enum Function: Int {
    case findClass = 6
    case throwNew = 14
    case getArrayLength = 171
    case newByteArray = 176
    case getByteArrayRegion = 200
    case setByteArrayRegion = 208
    case monitorEnter = 217
    case monitorExit = 218
  }

  private let environment: Environment
  private let type: Reference

  /// - Parameter type: the class whose native function was called.
  init(_ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer) {
    self.environment = environment.assumingMemoryBound(to: UnsafePointer<UnsafeRawPointer?>.self)
    self.type = type
  }

  private func function<F>(_ function: Function, as form: F.Type) -> F {
    guard let entry = environment.pointee[function.rawValue] else {
      preconditionFailure("a Java machine has all functions of its table")
    }
    return unsafeBitCast(entry, to: form)
  }

  /// Runs `work` under the lock of the class, the one of Java's `static synchronized` methods.
  func alone<Result>(_ work: () -> Result) -> Result {
    typealias Form = @convention(c) (Environment, Reference) -> Int32
    let isEntered = function(.monitorEnter, as: Form.self)(environment, type) == 0
    precondition(isEntered, "the lock of a class can be had")
    let result = work()
    _ = function(.monitorExit, as: Form.self)(environment, type)
    return result
  }

  /// The bytes of a `byte[]`.
  ///
  /// - Returns: nil, with an exception thrown in Java, when there is no array or one of more than `most` bytes.
  func bytes(_ array: Reference?, atMost most: Int) -> [UInt8]? {
    guard let array else {
      refuse("no bytes were given")
      return nil
    }
    let count = Int(
      function(.getArrayLength, as: (@convention(c) (Environment, Reference) -> Int32).self)(
        environment, array))
    guard (0...most).contains(count) else {
      refuse("more bytes were given than are allowed")
      return nil
    }
    typealias Form =
      @convention(c) (Environment, Reference, Int32, Int32, UnsafeMutablePointer<UInt8>) -> Void
    let copy = function(.getByteArrayRegion, as: Form.self)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let start = buffer.baseAddress, count > 0 { copy(environment, array, 0, Int32(count), start) }
      filled = count
    }
  }

  /// `bytes` as a new `byte[]`.
  ///
  /// - Returns: nil, with an exception thrown in Java, when memory is short.
  func array(_ bytes: [UInt8]) -> Reference? {
    guard let count = Int32(exactly: bytes.count) else {
      refuse("the answer is larger than an array can be")
      return nil
    }
    let make = function(.newByteArray, as: (@convention(c) (Environment, Int32) -> Reference?).self)
    guard let array = make(environment, count) else { return nil }
    typealias Form = @convention(c) (Environment, Reference, Int32, Int32, UnsafePointer<UInt8>) -> Void
    let fill = function(.setByteArrayRegion, as: Form.self)
    bytes.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress, count > 0 { fill(environment, array, 0, count, start) }
    }
    return array
  }

  /// `bytes` as a new `byte[]`; nil, with `reason` thrown in Java, where there are none.
  func array(orRefused bytes: [UInt8]?, _ reason: StaticString) -> Reference? {
    guard let bytes else {
      refuse(reason)
      return nil
    }
    return array(bytes)
  }

  /// Throws an `IllegalArgumentException` in Java, seen there once the native function has returned.
  func refuse(_ message: StaticString) {
    let find = function(
      .findClass, as: (@convention(c) (Environment, UnsafePointer<UInt8>) -> Reference?).self)
    let name: StaticString = "java/lang/IllegalArgumentException"
    guard let exception = find(environment, name.utf8Start) else { return }
    typealias Form = @convention(c) (Environment, Reference, UnsafePointer<UInt8>) -> Int32
    _ = function(.throwNew, as: Form.self)(environment, exception, message.utf8Start)
  }
}
