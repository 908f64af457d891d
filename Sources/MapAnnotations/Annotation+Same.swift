extension Annotation {
  /// Whether two annotations with the same id are equal: by `==` if the type is `Equatable`,
  /// otherwise by every field of ``Annotation``.
  ///
  /// `AnnotationDiff`, `NearbySession` and `MapSession` use this unless you pass your own `isSame`.
  /// Fields that only the app's type has are compared only by `==`, so make such a type
  /// `Equatable`. If its `==` compares less than is shown, for example only ids, pass `isSame`.
  ///
  /// - Complexity: that of `==`, or O(its properties).
  public func isSame(as other: Self) -> Bool {
    // Checked at run time, because generic code such as that of the sessions cannot choose an overload.
    if let type = Self.self as? any Equatable.Type { return type.areEqual(self, other) }
    return BasicAnnotation(copying: self) == BasicAnnotation(copying: other)
      && business == other.business
  }

  /// Whether two annotations are equal; false if their types differ.
  fileprivate func isSame(asAny other: any Annotation) -> Bool {
    (other as? Self).map { isSame(as: $0) } ?? false
  }
}

extension Equatable {
  /// Compares two values of this type whose static type is unrelated.
  fileprivate static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? Self, let right = right as? Self else { return false }
    return left == right
  }
}

extension AnyAnnotation: Equatable {
  /// Whether both wrap annotations of the same type that are equal; see `isSame(as:)`.
  public static func == (left: AnyAnnotation, right: AnyAnnotation) -> Bool {
    left.base.isSame(asAny: right.base)
  }
}
