import GeoJSONCoding
import MapAnnotations

/// A value as JSON on one line.
func compactJSON(_ value: PropertyValue) -> String {
  var json = JSONWriter()
  json.value(value)
  return json.text
}
