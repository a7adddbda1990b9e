/// A value that a statement is given or answers.
///
/// Parameters go to the server in binary form with an explicit type: `bigint`, `double precision`, `text`, `bytea`, `boolean`,
/// and arrays of these. The type of `null` is inferred by the server. An integer of any width, `oid`, `xid` and `xid8` come
/// back as `integer`; both floating-point types as `real`; `text`, `varchar`, `char` and `name` as `text`.
public enum PostgreSQLValue: Hashable, Sendable {
  case null
  /// A null of a known type, so that one prepared statement serves for values and nulls alike.
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
