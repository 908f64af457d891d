import IndexFiles
import NearbyKit

/// The examples of `IndexFiles.md`.
private func indexFile(_ places: [Coordinate], _ here: Coordinate) throws {
  let index = KDTreeIndex(places)
  try IndexFile.write(index, to: "places.nbx", source: try SourceStamp(path: "places.csv"))

  let file = try IndexFile(path: "places.nbx")
  try file.checkIsCurrent(with: "places.csv")
  let three = try file.answer { $0.nearest(3, to: here) }
  print(three)
}
