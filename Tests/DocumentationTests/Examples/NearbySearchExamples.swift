import AnnotationImport
import Foundation
import NearbyKit
import TestSupport
import Testing

@Suite struct `Examples of NearbySearch` {
  private let shops: ImportedAnnotations
  private let cityHall: Coordinate

  init() throws {
    let parts = try ["cinemas.csv", "deals.csv", "marts.csv"].map { name in
      let file = SharedFiles.packageRoot.appending(path: "Data/\(name)")
      return try AnnotationImporter().read([UInt8](try Data(contentsOf: file)), named: name)
        .annotations
    }
    shops = ImportedAnnotations(joining: parts)
    cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
  }

  private func query() {
    let index = AnnotationIndex(shops)
    let answer = index.nearest(3, to: cityHall, within: .kilometers(2), kinds: [.cinema, .mart]) {
      $0.properties["brand"]?.text != "홈플러스"
    }
    for near in answer {
      print(near.annotation.name ?? "?", near.distance, near.bearing ?? 0)
    }
  }

  @Test func `find what a predicate lets pass`() throws {
    let judged = shops.filter {
      ($0.kind == .cinema || $0.kind == .mart) && $0.properties["brand"]?.text != "홈플러스"
    }.compactMap { shop in
      shop.coordinate.map { (name: shop.name ?? "?", meters: cityHall.distance(to: $0).meters) }
    }.sorted { $0.meters < $1.meters }.prefix(3)
    let lines = PrintedLines.of(query)
    #expect(lines.count == 3)
    for (line, shop) in zip(lines, judged) {
      // The name may hold spaces; after it come the distance, its unit and the bearing.
      let words = line.split(separator: " ")
      #expect(words.dropLast(3).joined(separator: " ") == shop.name)
      let meters = try #require(Double(words[words.count - 3]))
      #expect(abs(meters - shop.meters) <= 20e-9)
    }
  }

  private func whenToAskAgain() throws {
    let index = AnnotationIndex(shops)
    let answer = index.nearest(3, to: cityHall)
    let walker = cityHall.destination(bearing: 90, distance: .meters(2))
    let isStillTheAnswer =
      answer.validRadius.map { cityHall.distance(to: walker) < $0 } ?? true
    if isStillTheAnswer {
      let asked = index.nearest(3, to: walker)
      print(Set(asked.map(\.annotation.id)) == Set(answer.map(\.annotation.id)))  // true
    }
  }

  @Test func `know how long an answer holds`() throws {
    #expect(try PrintedLines.of(whenToAskAgain) == ["true"])
  }

  private func explained() {
    let index = AnnotationIndex(shops)
    let work = index.nearest(3, to: cityHall).statistics
    print(work.leavesRead, "leaves,", work.candidates, "candidates,", work.geodesics, "geodesics")
  }

  @Test func `explain themselves`() {
    let lines = PrintedLines.of(explained)
    let numbers = lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(numbers.count == 3)
    #expect(numbers.allSatisfy { $0 < shops.count })
    #expect(numbers.prefix(2).allSatisfy { $0 >= 1 })
  }

  private func live() {
    let moving = LiveAnnotationIndex(shops.map { BasicAnnotation(copying: $0) })
    moving.upsert([BasicAnnotation(id: "Mina", coordinate: cityHall)], expiry: 160)
    let snapshot = moving.snapshot
    moving.remove(["Mina"])
    print(snapshot.nearest(1, to: cityHall, now: 100)[0].annotation.id.text)
    print(moving.snapshot.placedCount == snapshot.placedCount - 1)
  }

  @Test func `keep what a snapshot has seen`() {
    #expect(PrintedLines.of(live) == ["Mina", "true"])
  }
}
