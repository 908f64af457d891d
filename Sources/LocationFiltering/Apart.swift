/// A rarely present value in separate memory, so that moving its owner does not move the value.
indirect enum Apart<Value: Hashable & Sendable>: Hashable, Sendable {
  case nothing
  case something(Value)

  init(_ value: Value?) {
    self = value.map(Apart.something) ?? .nothing
  }

  var isNothing: Bool { if case .nothing = self { true } else { false } }

  var value: Value? { if case .something(let value) = self { value } else { nil } }
}
