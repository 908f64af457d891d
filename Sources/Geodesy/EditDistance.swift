/// How many elements to insert, delete or replace: the Levenshtein distance, computed row by row.
///
/// - Parameter countsSwaps: Whether two neighbors in the other order are one edit instead of two.
package func editDistance<Element: Equatable>(
  from source: [Element], to target: [Element], countsSwaps: Bool = false
) -> Int {
  var before: [Int] = []
  var last = Array(0...target.count)
  for i in source.indices {
    var row = [i + 1]
    for j in target.indices {
      let replaced = last[j] + (source[i] == target[j] ? 0 : 1)
      var least = min(replaced, last[j + 1] + 1, row[j] + 1)
      if countsSwaps, i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
        least = min(least, before[j - 1] + 1)
      }
      row.append(least)
    }
    (before, last) = (last, row)
  }
  return last[target.count]
}
