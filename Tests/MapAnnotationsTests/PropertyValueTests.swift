import MapAnnotations
import Testing

@Suite struct PropertyValueTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (3, "3"), (-12, "-12"), (0.1, "0.1"), (-37.5, "-37.5"),
    (999_999_999_999_999, "999999999999999"), (1e22, "1e+22"), (1e-300, "1e-300"),
  ])
  func `a number is written so that it reads back as the same`(value: Double, text: String) {
    #expect(PropertyValue.double(value) == .number(text))
    #expect(PropertyValue.double(value).number == value)
  }

  @Test func `a number keeps the form it was written in`() {
    let price = PropertyValue.number("1.50")
    #expect(price.text == "1.50")
    #expect(price.number == 1.5)
    #expect(price != .number("1.5"))
    #expect(PropertyValue.integer(.max).text == "9223372036854775807")
  }

  @Test(arguments: ["12", "-3.25", "+1", "1e3", "0.5E-2"])
  func `a text that holds a decimal has a number`(text: String) throws {
    #expect(PropertyValue.string(text).number == Double(text))
    #expect(PropertyValue.string(text).number != nil)
  }

  @Test(arguments: ["", " 1", "1 km", "nan", "inf", "-infinity", "0x10", "1e999", "1,5", "e", "."])
  func `a text that holds anything else has none`(text: String) {
    #expect(PropertyValue.string(text).number == nil)
  }

  @Test func `only single values have a text`() {
    #expect(PropertyValue.string("시네마").text == "시네마")
    #expect(PropertyValue.bool(true).text == "true")
    #expect(PropertyValue.bool(false).text == "false")
    #expect(PropertyValue.null.text == nil)
    #expect(PropertyValue.array(["a"]).text == nil)
    #expect(PropertyValue.object(["a": 1]).text == nil)
    #expect(PropertyValue.bool(true).number == nil)
  }

  @Test func `literals make values`() {
    let properties: Properties = ["name": "A", "size": 3, "open": true, "note": nil]
    #expect(properties["name"] == .string("A"))
    #expect(properties["size"] == .number("3"))
    #expect(properties["open"] == .bool(true))
    #expect(properties["note"] == .some(.null))
  }
}

@Suite struct PropertiesTests {
  @Test func `names keep the order of their source and may repeat`() {
    var properties: Properties = ["b": 1, "a": 2]
    properties.append("b", 3)
    #expect(properties.entries.map(\.name) == ["b", "a", "b"])
    #expect(properties["b"] == 1)
    #expect(properties["c"] == nil)
  }

  @Test func `setting replaces the first of a name, and appends a new one`() {
    var properties: Properties = ["b": 1, "a": 2, "b": 3]
    properties["b"] = 9
    properties["c"] = "new"
    #expect(properties == ["b": 9, "a": 2, "b": 3, "c": "new"])
  }

  @Test func `setting nil removes every one of a name`() {
    var properties: Properties = ["b": 1, "a": 2, "b": 3]
    properties["b"] = nil
    #expect(properties == ["a": 2])
    properties["a"] = nil
    #expect(properties.isEmpty)
    #expect(Properties().isEmpty)
  }

  @Test(
    arguments: [
      (["a": 1], "x", ["a": 1, "name": "x"]), (["name": "x", "a": 1], "x", ["name": "x", "a": 1]),
      (["name": 7], "7", ["name": "7"]), (["name": true], "true", ["name": "true"]),
      (["name": "NULL", "a": 1], "x", ["name": "x", "a": 1]), (["name": nil], "x", ["name": "x"]),
      (["name": "y", "name_2": 1], "x", ["name_3": "y", "name_2": 1, "name": "x"]),
      (["name": .array([1])], "x", ["name_2": .array([1]), "name": "x"]),
      (["Name": "y"], "x", ["Name": "y", "name": "x"]),
      // é in two spellings.
      (["name": "e\u{301}"], "\u{e9}", ["name_2": "e\u{301}", "name": "\u{e9}"]),
      // Where there is nothing to say.
      (["a": 1], nil, ["a": 1]), (["name": "y"], nil, ["name_2": "y"]),
      (["name": .object([:])], nil, ["name_2": .object([:])]),
      (["name": "\\N"], nil, ["name": nil]),
      (["name": ""], nil, ["name": ""]), (["name": nil], nil, ["name": nil]),
    ] as [(Properties, String?, Properties)])
  func `a text is said under its name alone, and nothing is lost`(
    properties: Properties, text: String?, expected: Properties
  ) {
    var said = properties
    said.say("name", text)
    #expect(said == expected)
  }

  @Test func `order is part of what they are`() {
    let one: Properties = ["a": 1, "b": 2], other: Properties = ["b": 2, "a": 1]
    #expect(one != other)
  }
}
