import Foundation
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

/// The files of `shared/conformance/geojson`, whose README names their sources and licences:
/// geojsonhint, check-geojson, geojson-fixtures, RFC 7946 and JSONTestSuite.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct ConformanceTests {
  static let folder = "conformance/geojson"

  struct Row: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let expect: String
    var testDescription: String { file }
  }

  static let rows: [Row] = (try? SharedFiles.values("\(folder)/index.jsonl")) ?? []

  static let jsonFiles: [String] = {
    let path = SharedFiles.root.appending(path: "\(folder)/json_parsing").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }()

  @Test func `all files are found`() {
    #expect(ConformanceTests.rows.count == 48)
    #expect(ConformanceTests.jsonFiles.count == 159)
  }

  @Test(arguments: rows)
  func `a file is read or reported as its row says`(row: Row) throws {
    let bytes = try SharedFiles.bytes("\(ConformanceTests.folder)/\(row.file)")
    for framing in [GeoJSONReader.Framing.automatic, .document] {
      let outcome = Outcome(reading: bytes, framing: framing)
      if row.expect == "accept" {
        #expect(outcome.errors.isEmpty)
        #expect(outcome.features.count == outcome.document?.recordCount)
        #expect(outcome.document?.isComplete == true)
      } else {
        #expect(!outcome.errors.isEmpty, "nothing was reported")
        // This file has one bad feature and one good one, which may be taken.
        let goodOnes = row.file == "invalid/stringcoord.geojson" ? 1 : 0
        #expect(outcome.features.count == goodOnes)
      }
    }
  }

  @Test(arguments: jsonFiles)
  func `JSON is told from what is not`(file: String) throws {
    let bytes = try SharedFiles.bytes("\(ConformanceTests.folder)/json_parsing/\(file)")
    var failure: GeoJSONError?
    do throws(GeoJSONError) { _ = try PropertyValue(json: bytes) } catch { failure = error }
    if file.hasPrefix("y_") { #expect(failure == nil) }
    if file.hasPrefix("n_") {
      let offset = try #require(failure).byteOffset
      #expect((0...bytes.count).contains(offset))
    }

    // None of them is GeoJSON, so a reader has nothing but an error for each.
    let outcome = Outcome(reading: bytes, framing: .document)
    #expect(outcome.features.isEmpty)
    #expect(outcome.errors.count == 1)
  }
}

/// What came of reading a text: features, reported errors and, last of these, a thrown one.
struct Outcome {
  var features: [Feature] = []
  var errors: [GeoJSONError] = []
  var records: [GeoJSONRecord] = []
  var document: GeoJSONDocument?
  var isThrown = false

  init(reading bytes: [UInt8], framing: GeoJSONReader.Framing = .automatic) {
    do throws(GeoJSONError) {
      document = try GeoJSONReader(framing: framing).read(bytes) { record in
        records.append(record)
        switch record.feature {
        case .success(let feature): features.append(feature)
        case .failure(let error): errors.append(error)
        }
        return .readOn
      }
    } catch {
      isThrown = true
      errors.append(error)
    }
  }

  init(reading text: String, framing: GeoJSONReader.Framing = .automatic) {
    self.init(reading: Array(text.utf8), framing: framing)
  }

  var codes: [String] { errors.map(\.code) }
}
