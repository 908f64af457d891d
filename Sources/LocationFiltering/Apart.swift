/// A value that is rarely there, kept apart from its owner: what moves the owner does not move it.
indirect enum Apart<Value: Hashable & Sendable>: Hashable, Sendable {
  case nothing
  case something(Value)

  init(_ value: Value?) {
    self = value.map(Apart.something) ?? .nothing
  }

  var isNothing: Bool { if case .nothing = self { true } else { false } }

  var value: Value? { if case .something(let value) = self { value } else { nil } }
}
