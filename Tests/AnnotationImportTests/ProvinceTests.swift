import Geodesy
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Positions beside the province or prefecture that their address names.
@Suite struct ProvinceTests {
  @Test func `a mart at sea is far from the city of its address`() throws {
    let report = try comparison("인천광역시 서구 서곶로 754", 37.07915561, 126.11836061)
    #expect(report.warnings == ["far-from-province": 1])
    // The nearest corner of the mainland's box, 37.3,126.3, by the length of a degree there: 24.5 km north and
    // 16.1 km east.
    #expect(
      report.examples["far-from-province"]
        == "shops.tsv:2: 37.07915561,126.11836061 is 29 km from 인천, where its address is; look the address up"
    )
  }

  /// Every way to write a province, with where it is and where it is not.
  @Test(arguments: [
    ("서울특별시 중구 세종대로 110", 37.566, 126.978), ("서울시 중구 세종대로 110", 37.566, 126.978),
    ("서울 중구 세종대로 110", 37.566, 126.978), ("부산시 해운대구 우동 1", 35.163, 129.164),
    ("경상남도 창원시 성산구 1", 35.228, 128.682), ("경남 창원시 성산구 1", 35.228, 128.682),
    ("강원특별자치도 춘천시 중앙로 1", 37.881, 127.73), ("강원도 춘천시 중앙로 1", 37.881, 127.73),
    ("전북특별자치도 전주시 완산구 1", 35.82, 127.109), ("전라북도 전주시 완산구 1", 35.82, 127.109),
    ("세종특별자치시 한누리대로 2130", 36.48, 127.289), ("광주광역시 서구 내방로 111", 35.16, 126.851),
    ("대구광역시 군위군 군위읍 1", 36.243, 128.573), ("경상북도 군위군 군위읍 1", 36.243, 128.573),
    ("인천광역시 옹진군 백령면 1", 37.967, 124.718), ("인천 강화군 교동면 1", 37.79, 126.28),
    ("전라남도 신안군 흑산면 가거도 1", 34.07, 125.12), ("경북 울릉군 독도안용복길 3", 37.24, 131.87),
    ("제주특별자치도 제주시 추자면 1", 33.96, 126.3), ("東京都新宿区西新宿2-8-1", 35.689, 139.692),
    ("東京都 新宿区西新宿2-8-1", 35.689, 139.692), ("東京都八丈島八丈町大賀郷2551", 33.11, 139.79),
    ("東京都小笠原村父島", 27.094, 142.192), ("北海道札幌市中央区1", 43.062, 141.354),
    ("京都府京都市左京区1", 35.05, 135.78), ("沖縄県八重山郡与那国町1", 24.468, 123.005),
    ("長崎県対馬市厳原町1", 34.2, 129.29), ("鹿児島県大島郡与論町1", 27.04, 128.42),
    ("110 Sejong-daero, Jung-gu, Seoul 04524, Republic of Korea", 37.566, 126.978),
    ("1 Jungang-ro, Chuncheon-si, Gangwon-do", 37.881, 127.73),
    ("2-8-1 Nishi-Shinjuku, Shinjuku-ku, Tokyo 163-8001, Japan", 35.689, 139.692),
    ("1 Chome, Naha, Okinawa Prefecture, Japan", 26.212, 127.681),
    ("10 Chichijima, Ogasawara, Tokyo", 27.094, 142.192),
  ])
  func `names are understood in full, in short and in Latin letters`(
    address: String, latitude: Double, longitude: Double
  ) throws {
    #expect(try comparison(address, latitude, longitude).warnings == [:])
    // In the same country, and elsewhere: Sapporo or Naha, Seogwipo or Sokcho.
    let isJapan = Region.japan.contains(PointSet.legal(latitude, longitude))
    let others = isJapan ? [(43.06, 141.35), (26.21, 127.68)] : [(33.25, 126.56), (38.2, 128.59)]
    let far = others.max {
      PointSet.legal($0.0, $0.1).distance(to: PointSet.legal(latitude, longitude))
        < PointSet.legal($1.0, $1.1).distance(to: PointSet.legal(latitude, longitude))
    }!
    #expect(try comparison(address, far.0, far.1).warnings == ["far-from-province": 1])
  }

  /// A ward of the mainland is not on an island of the same province, nor the other way round.
  @Test(arguments: [
    ("인천광역시 서구 서곶로 754", 37.967, 124.718), ("전라남도 목포시 1", 34.07, 125.12),
    ("경상북도 포항시 북구 1", 37.5, 130.87), ("東京都新宿区1", 33.11, 139.79),
    ("東京都小笠原村父島", 35.689, 139.692), ("東京都三宅島三宅村1", 35.689, 139.692),
  ])
  func `a district apart is known by itself`(
    address: String, latitude: Double, longitude: Double
  ) throws {
    #expect(try comparison(address, latitude, longitude).warnings == ["far-from-province": 1])
  }

  @Test(arguments: [
    // Not a province, or not surely one; and where there is no position in the country at all.
    "광주시 초월읍 1", "여의도 1", "제주시 연동 1", "府中市1", "Tokyo, 12 High St, London", "Osaka",
    "Nara, 5 Rue Sainte, Paris", "Gwangju-si 1, Gwangju", "12 Seoul Street, Melbourne", ", ,",
    "a,,",
  ])
  func `what names no province says nothing`(address: String) throws {
    #expect(try comparison(address, 33.25, 126.56).warnings["far-from-province"] == nil)
  }

  @Test func `positions up to 20 km beside are let pass`() throws {
    // Seoul's box ends at 37.72; a degree is 111.0 km there.
    #expect(try comparison("서울 도봉구 1", 37.72 + 19.9 / 111, 127).warnings == [:])
    #expect(
      try comparison("서울 도봉구 1", 37.72 + 20.1 / 111, 127).warnings == ["far-from-province": 1])
  }

  @Test func `outside the country only that is said`() throws {
    #expect(try comparison("서울 중구 1", 48.85, 2.35).warnings == ["outside-country": 1])
    #expect(
      try comparison("1 Jung-gu, Seoul, South Korea", 48.85, 2.35).warnings == [
        "outside-country": 1
      ])
  }

  @Test func `every province is there once, in its country`() {
    #expect(Province.korea.count == 17 && Province.japan.count == 47)
    for province in Province.korea + Province.japan {
      for box in province.whole.boxes {
        #expect(box.south < box.north && box.west < box.east, "\(province.whole.name)")
        let middle = PointSet.legal((box.south + box.north) / 2, (box.west + box.east) / 2)
        let isNear =
          province.country.distance(to: middle) < .kilometers(20)
          || province.country.boxes.contains { box.contains($0) }
        #expect(isNear, "\(province.whole.name)")
      }
    }
  }

  // MARK: Published files

  private static let present = Comment(rawValue: SharedFiles.reason)

  /// 155,141 blocks with their prefecture and town.
  @Test(.enabled(if: try SharedFiles.arePresent, present))
  func `every block of a Japanese town lies in its prefecture`() throws {
    let towns = try importing(
      SharedFiles.bytes("data/jp-towns/jp-towns-east.csv.gz"), named: "towns.csv.gz"
    ).annotations
    var judged = 0
    for town in towns {
      guard let position = town.coordinate, let prefecture = town.properties["pref"]?.text else {
        continue
      }
      let province = try #require(Province.named(prefecture), "\(prefecture)")
      let city = town.properties["city"]?.text ?? ""
      let isInside = province.region(of: city).contains(position)
      #expect(isInside, "\(prefecture)\(city) \(position)")
      let isOnLand = Land.japan.distance(to: position, beyond: .kilometers(10)) == nil
      #expect(isOnLand, "\(prefecture)\(city) \(position)")
      judged += 1
    }
    #expect(judged == 155_141)
  }

  /// 9,372 stations with the number of their prefecture.
  @Test(.enabled(if: try SharedFiles.arePresent, present))
  func `every Japanese station lies in its prefecture`() throws {
    let stations = try importing(
      SharedFiles.bytes("data/jp-stations/station.csv"), named: "station.csv"
    ).annotations
    for station in stations {
      let number = try #require((station.properties["prefecture"]?.text).flatMap { Int($0) })
      let province = Province.japan[number - 1]
      let position = try #require(station.coordinate)
      let isInside = province.whole.contains(position)
      #expect(isInside, "\(province.whole.name) \(station.name ?? "")")
      let isOnLand = Land.japan.distance(to: position, beyond: .kilometers(10)) == nil
      #expect(isOnLand, "\(province.whole.name) \(station.name ?? "")")
    }
    #expect(stations.count == 9_372)
  }

  /// 35,583 postal codes with their province and district.
  @Test(.enabled(if: try SharedFiles.arePresent, present))
  func `every Korean postal code lies in its province`() throws {
    let codes = try importing(
      SharedFiles.bytes("data/geonames-postal/postal-world-a.csv.gz"), named: "postal.csv.gz"
    ).annotations
    var judged = 0
    for code in codes where code.properties["country_code"]?.text == "KR" {
      let district = code.properties["province"]?.text ?? ""
      let address = "\(code.properties["state"]?.text ?? "") \(district) 1"
      let province = try #require(AddressText(address)?.province, "\(address)")
      let position = try #require(code.coordinate)
      let isInside = province.contains(position)
      #expect(isInside, "\(address)")
      let isOnLand = Land.southKorea.distance(to: position, beyond: .kilometers(10)) == nil
      #expect(isOnLand, "\(address)")
      judged += 1
    }
    #expect(judged == 35_583)
  }

  /// What a count of the same boxes in Python gives.
  ///
  /// Looked at one by one, each is wrong: a library whose longitude
  /// lacks a digit (126.00 for 126.99), one at 125.79 for 127.79, a hall filled down by a whole degree, a car park of
  /// 오산 near 울산, and the mart whose position was made up.
  private static let wrongInFiles = [
    "kr-libraries/libraries-2023.cp949.csv": 2, "kr-events/performances-2025.cp949.csv.gz": 1,
    "kr-parking/parking-2022.cp949.csv.gz": 1, "seeds/marts_kr_sample.csv": 1,
  ]

  /// Those with addresses of Korea or Japan.
  @Test(
    .enabled(if: try SharedFiles.arePresent, present),
    arguments: RealFileCountTests.files.map(\.path).filter { path in
      ["kr-", "jp-", "seeds"].contains(where: path.hasPrefix)
    })
  func `published files give no false warning`(path: String) throws {
    let report = try importing(SharedFiles.bytes("data/" + path), named: path) {
      $0.comparesRecords = true
    }.report
    #expect(
      report.warnings["far-from-province"] == Self.wrongInFiles[path],
      "\(report.examples["far-from-province"] ?? "")")
    #expect(report.warnings["off-land"] == nil, "\(report.examples["off-land"] ?? "")")
  }
}
