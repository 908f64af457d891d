extension Annotation {
  /// Whether nothing is different of two annotations with one id, as far as can be told without asking
  /// the app: by `==` where the type is `Equatable`, and else by every field that ``Annotation`` names.
  ///
  /// What `AnnotationDiff`, `NearbySession` and `MapSession` go by unless they are given an `isSame` of
  /// their own. Fields that only the app's type has are seen by the first way alone, so let such a type be
  /// `Equatable`; where its `==` compares less than is shown, as one that compares ids, give `isSame`.
  ///
  /// - Complexity: that of `==`, or O(its properties).
  public func isSame(as other: Self) -> Bool {
    // Asked of the type at run time: generic code, as that of the sessions, cannot choose an overload.
    if let type = Self.self as? any Equatable.Type { return type.areEqual(self, other) }
    return BasicAnnotation(copying: self) == BasicAnnotation(copying: other)
      && business == other.business
  }

  /// The same, where the other may be of another type, and is then another annotation.
  fileprivate func isSame(asAny other: any Annotation) -> Bool {
    (other as? Self).map { isSame(as: $0) } ?? false
  }
}

extension Equatable {
  /// Compares two values of this type that come as values of the same type under another name.
  fileprivate static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? Self, let right = right as? Self else { return false }
    return left == right
  }
}

extension AnyAnnotation: Equatable {
  /// Whether both wrap annotations of one type of which nothing is different; see `isSame(as:)`.
  public static func == (left: AnyAnnotation, right: AnyAnnotation) -> Bool {
    left.base.isSame(asAny: right.base)
  }
}
