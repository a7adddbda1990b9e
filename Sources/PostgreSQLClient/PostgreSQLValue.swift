/// A parameter or a result value of a statement.
///
/// Parameters are sent in binary form with an explicit type: `bigint`, `double precision`, `text`, `bytea`,
/// `boolean`, and arrays of these. The server infers the type of `null`. Integers of any width, `oid`, `xid`
/// and `xid8` are returned as `integer`; both floating-point types as `real`; `text`, `varchar`, `char` and
/// `name` as `text`.
public enum PostgreSQLValue: Hashable, Sendable {
  case null
  /// A null of a known type, so that one prepared statement serves values and nulls.
  case nullOf(Kind)
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  case boolean(Bool)
  /// Arrays, for `unnest($1)` and `= ANY($1)`.
  case integers([Int64?])
  case reals([Double?])
  case texts([String?])
  case byteArrays([[UInt8]?])
  case booleans([Bool?])

  public enum Kind: Hashable, Sendable { case integer, real, text, bytes, boolean }
}
