import AlarmEngine

/// A form of a list that is no zone or no reminder, and why; the others of its list are taken.
struct RefusedForm: Equatable, Sendable {
  /// As the form has it; empty where it has none.
  let id: Text
  let name: Text
  let error: ZoneForm.FieldError

  init(_ form: PageValue, _ error: ZoneForm.FieldError) {
    id = form["id"]?.text ?? .empty
    name = form["name"]?.text ?? form["title"]?.text ?? .empty
    self.error = error
  }

  /// `id`, `name`, `why`, `field`, and of a number out of range `given`, `least`, `most`.
  var form: PageValue { .map([.init("id", .text(id)), .init("name", .text(name))] + error.entries) }
}

extension ZoneForm.FieldError {
  /// `why`, `field`, and of a number out of range `given`, `least`, `most`.
  var entries: [PageValue.Entry] {
    var entries: [PageValue.Entry] = [.init("why", .text(fault.word)), .init("field", .text(field))]
    if let number {
      entries.add("given", .number(number.given))
      entries.add("least", .number(number.allowed.lowerBound))
      entries.add("most", .number(number.allowed.upperBound))
    }
    return entries
  }

  init(_ number: NumberOutOfRange) {
    self.init(
      number.field.name, .outOfRange, number: .init(given: number.given, allowed: number.field.allowed))
  }
}
