extension OSMBlock {
  /// A way that is a place, without a position yet.
  struct Shape {
    let id: Int64
    let draft: PlaceDraft
    /// The ids of the nodes along it, in order.
    let nodes: [Int64]
  }

  /// Passes every node to `handle`, with its draft if it is a place.
  ///
  /// - Parameter drafting: false for positions only.
  mutating func readNodes(
    drafting: Bool, _ handle: (_ id: Int64, _ point: OSMPoint?, _ draft: PlaceDraft?) throws -> Void
  ) throws {
    for group in groups {
      var group = group
      while let field = try wrap({ () throws(ProtobufReader.Failure) in try group.next() }) {
        switch (field.number, field.value) {
        case (1, .bytes(let node)): try readNode(node, drafting: drafting, handle)
        case (2, .bytes(let dense)): try readDense(dense, drafting: drafting, handle)
        default: break
        }
      }
    }
  }

  private mutating func readNode(
    _ message: ProtobufReader, drafting: Bool, _ handle: (Int64, OSMPoint?, PlaceDraft?) throws -> Void
  ) throws {
    var element = Element()
    try wrap { () throws(ProtobufReader.Failure) in try element.read(message) }
    let draft = try drafting ? self.draft(keys: element.keys, values: element.values) : nil
    try handle(element.signedID, place(element.latitude, element.longitude), draft)
  }

  private mutating func readDense(
    _ message: ProtobufReader, drafting: Bool, _ handle: (Int64, OSMPoint?, PlaceDraft?) throws -> Void
  ) throws {
    var ids: [Int64] = []
    var latitudes: [Int64] = []
    var longitudes: [Int64] = []
    var tags: [UInt64] = []
    try wrap { () throws(ProtobufReader.Failure) in
      var message = message
      while let field = try message.next() {
        switch field.number {
        case 1: try field.value.append(deltas: &ids)
        case 8: try field.value.append(deltas: &latitudes)
        case 9: try field.value.append(deltas: &longitudes)
        case 10: if drafting { try field.value.append(to: &tags) }
        default: break
        }
      }
    }
    guard ids.count == latitudes.count, ids.count == longitudes.count else { throw Failure.uneven }
    var next = 0
    var keys: [UInt64] = []
    var values: [UInt64] = []
    for (index, id) in ids.enumerated() {
      var draft: PlaceDraft?
      // Keys and values alternate; a zero ends a node. No list at all: no node has a tag.
      if next < tags.count {
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        while next < tags.count, tags[next] != 0 {
          guard next + 1 < tags.count else { throw Failure.uneven }
          keys.append(tags[next])
          values.append(tags[next + 1])
          next += 2
        }
        next += 1
        if !keys.isEmpty { draft = try self.draft(keys: keys, values: values) }
      }
      try handle(id, place(latitudes[index], longitudes[index]), draft)
    }
  }

  /// The contents of a block other than its nodes.
  struct Content {
    var hasNodes = false
    var ways: [Shape] = []
    /// Relations that are places.
    var relations = 0
  }

  /// Returns the ways that are places, and the number of relations that are.
  mutating func readShapes() throws -> Content {
    var content = Content()
    for group in groups {
      var group = group
      while let field = try wrap({ () throws(ProtobufReader.Failure) in try group.next() }) {
        switch (field.number, field.value) {
        case (1, .bytes), (2, .bytes): content.hasNodes = true
        case (3, .bytes(let way)):
          var element = Element()
          try wrap { () throws(ProtobufReader.Failure) in try element.read(way) }
          if let draft = try draft(keys: element.keys, values: element.values) {
            content.ways.append(Shape(id: element.plainID, draft: draft, nodes: element.nodes()))
          }
        case (4, .bytes(let relation)):
          var element = Element()
          try wrap { () throws(ProtobufReader.Failure) in try element.read(relation) }
          if try draft(keys: element.keys, values: element.values) != nil { content.relations += 1 }
        default: break
        }
      }
    }
    return content
  }

  private func wrap<Value>(
    _ read: () throws(ProtobufReader.Failure) -> Value
  ) throws(Failure) -> Value {
    do { return try read() } catch { throw .message(error) }
  }

  /// The fields that plain nodes, ways and relations have in common.
  private struct Element {
    private var id: UInt64 = 0
    var keys: [UInt64] = []
    var values: [UInt64] = []
    private var eighth: [UInt64] = []
    private var ninth: [UInt64] = []

    var signedID: Int64 { ProtobufReader.signed(id) }
    var plainID: Int64 { Int64(bitPattern: id) }
    /// The stored latitude of a node; `Int64.min` if absent, as `longitude` is.
    var latitude: Int64 { eighth.last.map(ProtobufReader.signed) ?? .min }
    var longitude: Int64 { ninth.last.map(ProtobufReader.signed) ?? .min }

    /// Returns the node ids of a way, decoded from their differences.
    func nodes() -> [Int64] {
      var last: Int64 = 0
      return eighth.map { number in
        last = last &+ ProtobufReader.signed(number)
        return last
      }
    }

    mutating func read(_ message: ProtobufReader) throws(ProtobufReader.Failure) {
      var message = message
      while let field = try message.next() {
        switch (field.number, field.value) {
        case (1, .varint(let number)): id = number
        case (2, let list): try list.append(to: &keys)
        case (3, let list): try list.append(to: &values)
        // A node's latitude and longitude; a way's nodes. A relation's roles are not asked for.
        case (8, let list): try list.append(to: &eighth)
        case (9, let list): try list.append(to: &ninth)
        default: break
        }
      }
    }
  }
}
