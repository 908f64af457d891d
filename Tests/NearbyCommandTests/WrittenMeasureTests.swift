import AnnotationSources
import Testing

@Suite struct WrittenMeasureTests {
  private static let lengths: [(String, Double)] = [
    ("30", 30), ("90s", 90), ("800ms", 0.8), ("20m", 1_200), ("5min", 300), ("5MIN", 300),
    ("1h30m", 5_400), ("1h 30m", 5_400), ("1.5 h", 5_400), ("2d", 172_800), ("1e3", 1_000),
    ("-5s", -5), (" 7 ", 7), ("0", 0),
  ]

  @Test(arguments: lengths)
  func `lengths of time are read with any unit`(text: String, seconds: Double) {
    #expect(WrittenMeasure.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "-", "soon", "s", "5x", "5mi n", "1h30", "--5s", "5s-", "1..5s", "nan", "inf", "0x10", "٣s",
    "1y", "5 5s",
  ])
  func `what is no length of time is nil`(text: String) {
    #expect(WrittenMeasure.seconds(text) == nil)
  }

  private static let speeds: [(String, Double)] = [
    ("12m/s", 12), ("12mps", 12), ("36km/h", 10), ("36kmh", 10), ("36 kph", 10), ("10mph", 4.4704),
    ("9kn", 4.63), ("walk", 1.388_888_888_888_9), ("Bike", 4.166_666_666_666_7),
    ("car", 8.333_333_333_333_3),
  ]

  @Test(arguments: speeds)
  func `speeds are read with any unit`(text: String, speed: Double) throws {
    let read = try #require(WrittenMeasure.speed(text))
    #expect(abs(read - speed) < 1e-12)
  }

  @Test func `a bare number is a speed only where a unit is agreed on`() {
    #expect(WrittenMeasure.speed("12") == nil)
    #expect(WrittenMeasure.speed("12", bare: 1) == 12)
    for text in ["", "fast", "km/h", "12km", "1e999m/s", "nan"] {
      #expect(WrittenMeasure.speed(text, bare: 1) == nil)
    }
  }
}
