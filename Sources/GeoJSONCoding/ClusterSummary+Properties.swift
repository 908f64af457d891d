import MapAnnotations
import ViewportClustering

extension ClusterSummary {
  /// The summary as properties of a cluster's feature: counts by kind as `kinds`, and for each
  /// summed property `_min`, `_max` and, if it is finite, `_sum`.
  public var featureProperties: Properties {
    var properties = Properties()
    if !kinds.isEmpty {
      let kinds = kinds.sorted { $0.key.rawValue < $1.key.rawValue }
      properties.append(
        "kinds",
        .object(
          Properties(
            kinds.map { Properties.Entry(name: $0.key.rawValue, value: .integer($0.value)) })))
    }
    for (name, numbers) in self.properties.sorted(by: { $0.key < $1.key }) {
      properties.append("\(name)_min", .double(numbers.minimum))
      properties.append("\(name)_max", .double(numbers.maximum))
      if numbers.sum.isFinite { properties.append("\(name)_sum", .double(numbers.sum)) }
    }
    return properties
  }
}
