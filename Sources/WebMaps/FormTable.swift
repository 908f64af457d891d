/// The lists of names that features share, each stored once and numbered from 0.
struct FormTable<Name: Hashable & Sendable>: Sendable {
  private(set) var all: [[Name]] = []
  private var numbers: [[Name]: UInt32] = [:]
  private var last: UInt32 = 0

  /// The number of a form, which is stored if it is new.
  mutating func number(of form: [Name]) -> UInt32 {
    // Rows of a table have few forms, and often the previous one again.
    if last < all.count, all[Int(last)] == form { return last }
    if let known = numbers[form] {
      last = known
    } else {
      last = UInt32(all.count)
      numbers[form] = last
      all.append(form)
    }
    return last
  }
}
