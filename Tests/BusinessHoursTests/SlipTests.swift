import Geodesy
import NearbyTestSupport
import Testing

@testable import BusinessHours

/// Texts of the sample and values of the language, each a little wrong: four thousand of each script.
@Suite struct SlipTests {
  enum Script: CaseIterable {
    case korean, japanese, language
  }

  private static func texts(_ script: Script) -> [String] {
    func isKana(_ text: String) -> Bool {
      text.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) }
        || ["曜", "祝", "休", "営", "業"].contains { text.contains($0) }
    }
    return writtenSample.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|").map { $0.drop { $0 == " " } }
      switch script {
      case .language: return parts[2].hasPrefix("-") ? nil : String(parts[2])
      case .korean: return isKana(String(parts[1])) ? nil : String(parts[1])
      case .japanese: return isKana(String(parts[1])) ? String(parts[1]) : nil
      }
    }
  }

  /// What slips in: marks that mean something, halves of characters, and what no keyboard has.
  private static let intruders = Array(
    "월화일요매주둘째넷공휴설추석연당제외단()（）+,·~〜-:：;；|\"'0123456789０９第曜祝休時分半翌年末始PHSuMo[]off\u{0}\u{301}\u{200D}\u{FEFF}\u{202E}\u{1F1F0}\n\t "
      .unicodeScalars)

  private static func slipped(
    _ text: String, _ others: [String], using generator: inout SeededGenerator
  ) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...scalars.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: scalars.insert(intruders.randomElement(using: &generator)!, at: place)
      case 1 where place < scalars.count: scalars.remove(at: place)
      case 2 where place < scalars.count:
        scalars[place] = intruders.randomElement(using: &generator)!
      case 3:
        let end = min(scalars.count, place + Int.random(in: 1...8, using: &generator))
        scalars.insert(contentsOf: scalars[place..<end], at: place)
      case 4 where place > 0 && place < scalars.count: scalars.swapAt(place - 1, place)
      default:
        let other = Array(others.randomElement(using: &generator)!.unicodeScalars)
        scalars.insert(contentsOf: other.prefix(12), at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static let settings = [
    HoursSetting(publicHolidays: .korea), HoursSetting(publicHolidays: .japan), HoursSetting(),
  ]

  /// Asks at instants in the data, before it and behind it.
  private static func ask(_ hours: OpeningHours, _ text: String) {
    let instants: [Instant] = [-62_135_596_800, 1_795_338_000, 4_102_444_800]
    for (place, instant) in instants.enumerated() {
      let setting = settings[place]
      let change = hours.nextChange(after: instant, setting: setting)
      #expect(change.map { $0 > instant } ?? true, "\(text)")
      _ = hours.state(at: instant, setting: setting)
    }
  }

  @Test(arguments: [Script.korean, .japanese], UInt64(0)..<2)
  func `a text with slips is read as some value, which reads back`(
    script: Script, seed: UInt64
  ) throws {
    let texts = Self.texts(script)
    #expect(texts.count >= 60)
    var generator = SeededGenerator(seed: seed)
    for number in 0..<2_000 {
      let text = Self.slipped(
        texts.randomElement(using: &generator)!, texts, using: &generator)
      let read = number % 2 == 0 ? WrittenHours(text) : WrittenHours("", closingDays: text)
      let spelled = read.hours.description
      if spelled.utf8.count <= OpeningHours.maximumLength {
        #expect(try OpeningHours(spelled) == read.hours, "\(text): \(spelled)")
      }
      if number % 11 == 0 { Self.ask(read.hours, text) }
    }
  }

  @Test(arguments: UInt64(0)..<2)
  func `a value with slips is read or refused at a column that it has`(seed: UInt64) throws {
    let texts = Self.texts(.language)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = Self.slipped(
        texts.randomElement(using: &generator)!, texts, using: &generator)
      do throws(HoursError) {
        let hours = try OpeningHours(text)
        #expect(try OpeningHours(hours.description) == hours, "\(text): \(hours)")
        Self.ask(hours, text)
      } catch {
        #expect((1...text.unicodeScalars.count + 1).contains(error.column), "\(text)")
      }
    }
  }
}
