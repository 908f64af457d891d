// swift-tools-version: 6.2
// Targets stand floor by floor, lowest first; a target imports only what stands above it.
// Tests/ArchitectureTests compares the imports in the sources with this order.

import PackageDescription

let package = Package(
  name: "nearby",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    // One import for apps: floors 0 to 3, nothing fetched, no library.
    .library(name: "NearbyKit", targets: ["NearbyKit"]),
    // For programs that read files or draw maps themselves.
    .library(name: "AnnotationImport", targets: ["AnnotationImport"]),
    .library(name: "TrackImport", targets: ["TrackImport"]),
    .library(name: "IndexFiles", targets: ["IndexFiles"]),
    // Any CRS, where libproj is installed; the grids of Korea, Japan and UTM are in NearbyKit.
    .library(name: "PROJTransforms", targets: ["PROJTransforms"]),
    // For servers that share data; empty without the trait PostgreSQL.
    .library(name: "PostGISStore", targets: ["PostGISStore"]),
    // For apps that keep data; empty without the trait Store.
    .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
    // For apps that fetch what they keep; without the trait Store it has a temporary file and nothing else.
    .library(name: "SourceFetching", targets: ["SourceFetching"]),
    .library(name: "TextMaps", targets: ["TextMaps"]),
    .library(name: "WebMaps", targets: ["WebMaps"]),
    .executable(name: "nearby", targets: ["NearbyCommand"]),
  ],
  traits: [
    .trait(
      name: "CommandLine",
      description: "Build the `nearby` program; fetches swift-argument-parser."),
    .trait(
      name: "Store",
      description: "Build the store and GeoPackage files; links SQLite, fetches nothing."),
    .trait(
      name: "Server",
      description: "Build `nearby serve`; fetches Hummingbird and 20 packages that it stands on.",
      enabledTraits: ["CommandLine", "Store"]),
    .trait(
      name: "PostgreSQL",
      description: "Read and write layers in PostgreSQL with PostGIS; links libpq, fetches nothing."
    ),
    .default(enabledTraits: ["CommandLine", "Store"]),
  ],
  dependencies: [
    // Parses the command line, writes --help, the manual and the shell completions.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Serves HTTP: sockets, parsing, back pressure, limits against slow clients. Without its own traits it
    // needs no Foundation but the essentials, and no configuration files.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    // Ends a service in order when a signal comes; Hummingbird's own.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    // Structured logs; Hummingbird's own.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // For what connections do beside Hummingbird, which stands on it.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    // The names of headers; Hummingbird's own.
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // Floor 0: positions, boxes, distances and bearings on the Earth.
    .target(name: "Geodesy"),

    // Floor 1: box, radius and k-nearest queries over bare positions.
    .target(name: "SpatialIndexing", dependencies: ["CNearbyKernels", "Geodesy"]),
    // Floor 1: CRSs and the plane, without a library: an app must read a national grid alone.
    .target(name: "MapProjections", dependencies: ["Geodesy"]),
    // The inner loops of SpatialIndexing in C: vectors that Swift's SIMD types do not compile to, and
    // the search for a few, compiled for several processors.
    .target(name: "CNearbyKernels"),

    // Floor 1: which fixes of a phone to believe, and why.
    .target(name: "LocationFiltering", dependencies: ["Geodesy"]),
    // Floor 1: when a place is open. Alone, because an app may ask it without a map or an index.
    .target(name: "BusinessHours", dependencies: ["Geodesy"]),

    // Floor 2: the things shown on a map.
    .target(name: "MapAnnotations", dependencies: ["BusinessHours", "Geodesy"]),

    // Floor 3: one query over annotations.
    .target(
      name: "NearbySearch",
      dependencies: [
        "MapAnnotations", "BusinessHours", "LocationFiltering", "SpatialIndexing", "Geodesy",
      ]),
    // Floor 3: features as text, read and written.
    .target(name: "GeoJSONCoding", dependencies: ["MapAnnotations", "Geodesy"]),
    // Floor 3: what a screen shows at a zoom, and its changes as GeoJSON. Beside the search, of which
    // it needs nothing.
    .target(
      name: "ViewportClustering",
      dependencies: ["GeoJSONCoding", "MapAnnotations", "MapProjections", "Geodesy"]),
    // Floor 3: who enters, leaves and crosses what. Beside the search, because an app may watch
    // fences without searching.
    .target(
      name: "Geofencing",
      dependencies: ["MapAnnotations", "LocationFiltering", "SpatialIndexing", "Geodesy"]),

    // Floor 4, text and bytes out, rows in: the land behind every map, and its text as it is written,
    // put into the program as bytes.
    .target(name: "WorldOutlines", dependencies: ["CNearbyLand", "Geodesy", "MapProjections"]),
    .target(name: "CNearbyLand", exclude: ["land.txt"]),
    .target(name: "TextMaps", dependencies: ["MapAnnotations", "Geodesy", "WorldOutlines"]),
    // Floor 4: the C library, which has another name on every system, and calls that differ between them.
    .target(name: "SystemCalls"),
    // Floor 4: gzip unpacked, for every reader above.
    .target(name: "GzipReading", dependencies: ["Geodesy", "CNearbyZlib"]),
    // Floor 4: what a browser shows: pages, and vector tiles with their archives. Protocol buffers are
    // read and written here: swift-protobuf links Foundation and ICU (WebMaps.docc/VectorTiles.md).
    .target(
      name: "WebMaps",
      dependencies: [
        "CNearbyPageAssets", "CNearbyZlib", "GeoJSONCoding", "Geodesy", "GzipReading",
        "MapAnnotations", "MapProjections", "ViewportClustering", "WorldOutlines",
      ]),
    // The page of WebMaps as it is written, put into the program as bytes.
    .target(
      name: "CNearbyPageAssets",
      exclude: [
        "land.js", "map.js", "page.css", "page.html", "page.js", "places.js", "search.js",
        "tiles.js", "words.js",
      ]),
    .target(
      name: "GPXCoding",
      dependencies: [
        "BusinessHours", "GeoJSONCoding", "MapAnnotations", "Geodesy", "CNearbyExpat",
      ]),
    // Debian's libexpat1-dev: reads GPX's XML. Foundation's parser would load Foundation, ICU and
    // libxml2 with the program, and start it 2 ms later.
    .systemLibrary(
      name: "CNearbyExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .target(
      name: "AnnotationImport",
      dependencies: [
        "GPXCoding", "GeoJSONCoding", "Geodesy", "GzipReading", "MapAnnotations", "MapProjections",
        // To ask memory for rows before they are read.
        "SpatialIndexing", "SystemCalls",
      ],
      // iconv is in libc but on Apple's systems.
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS]))]),
    // Fixes in, as they arrive: apart from annotations, which a program that follows somebody has
    // no need of. It finds columns and takes gzip apart as the importer of annotations does.
    .target(
      name: "TrackImport",
      dependencies: [
        "AnnotationImport", "BusinessHours", "GPXCoding", "GeoJSONCoding", "GzipReading",
        "LocationFiltering",
        "MapAnnotations", "Geodesy",
      ]),
    // Debian's zlib1g-dev: reads the .gz of every text format.
    .systemLibrary(
      name: "CNearbyZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // Floor 5: the annotations that ship inside the program, as bytes in the binary.
    .target(
      name: "NearbySampleData", dependencies: ["CNearbySampleData"], path: "Data",
      exclude: [
        "Embedding", "README.md", "cinemas.csv", "deals.csv", "make_land.py", "make_sample.py",
        "marts.csv",
      ]),
    // Puts the three files in with #embed, in 0.1 s; `.embedInCode` takes 45 to 103 s (Data/README.md).
    .target(name: "CNearbySampleData", path: "Data/Embedding"),

    // Floor 5: index files, mapped.
    .target(name: "IndexFiles", dependencies: ["SpatialIndexing", "Geodesy", "SystemCalls"]),

    // Floor 5: every other CRS, through libproj, which is looked up at run time: neither building nor
    // starting needs it.
    .target(name: "PROJTransforms", dependencies: ["MapProjections", "Geodesy", "SystemCalls"]),

    // Floor 5: annotations kept in a GeoPackage. On SQLite's own interface: GRDB imports Foundation,
    // which alone adds 2.9 ms to the 2.4 ms that a program with SQLite takes to start (StoreFormat.md).
    .target(
      name: "SQLiteStore",
      dependencies: [
        "GeoJSONCoding", "MapAnnotations", "MapProjections", "Geodesy", "SystemCalls",
        .target(name: "CNearbySQLite", condition: .when(traits: ["Store"])),
      ]),
    // Debian's libsqlite3-dev.
    .systemLibrary(
      name: "CNearbySQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    // Floor 5: layers in PostgreSQL with PostGIS, on libpq: no package for it can be had that needs no event loop.
    .target(
      name: "PostGISStore",
      dependencies: [
        "AnnotationImport", "GeoJSONCoding", "Geodesy", "MapAnnotations", "NearbySearch",
        "SpatialIndexing", "SystemCalls",
        .target(name: "CNearbyPQ", condition: .when(traits: ["PostgreSQL"])),
      ]),
    // Debian's libpq-dev.
    .systemLibrary(
      name: "CNearbyPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

    // Floor 5: sources and geocoders over HTTP. On the system's libcurl, opened when first needed:
    // async-http-client takes 5 minutes of processor time to build, linked libcurl 5 ms of every start
    // (SourceFetching.md).
    .target(
      name: "SourceFetching",
      dependencies: [
        "GeoJSONCoding", "GzipReading", "MapAnnotations", "Geodesy", "CNearbyCurl", "SystemCalls",
      ]),
    // Its calls into libcurl, which is neither linked nor needed to build.
    .target(name: "CNearbyCurl"),

    // Floor 6: files and sources, whatever they are, and what is answered of them: listings, joins,
    // hours, fences and tracks as text and as data. Knows no option, terminal or clock.
    .target(
      name: "AnnotationSources",
      dependencies: [
        "AnnotationImport", "BusinessHours", "GPXCoding", "GeoJSONCoding", "Geodesy", "Geofencing",
        "GzipReading", "IndexFiles", "LocationFiltering", "MapAnnotations", "MapProjections",
        "NearbySampleData", "NearbySearch", "PROJTransforms", "SQLiteStore", "SourceFetching",
        "SpatialIndexing", "SystemCalls", "TextMaps", "TrackImport", "WebMaps",
        .target(name: "PostGISStore", condition: .when(traits: ["PostgreSQL"])),
      ],
      // No library product has it, so it may be compiled for size, as the program is.
      swiftSettings: [.unsafeFlags(["-Osize"], .when(configuration: .release))]),

    // Floor 7: the same query over HTTP: requests to queries, answers to bytes. The sockets, which the trait
    // Server adds, are Hummingbird's.
    .target(
      name: "NearbyHTTP",
      dependencies: [
        "AnnotationImport", "AnnotationSources", "BusinessHours", "Geofencing", "GeoJSONCoding",
        "Geodesy",
        "MapAnnotations", "MapProjections", "NearbySearch", "SQLiteStore", "SpatialIndexing",
        "SystemCalls", "ViewportClustering", "WebMaps",
        .product(
          name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(
          name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(
          name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
      ]),

    // Floor 8: the command line, and one import for apps.
    .executableTarget(
      name: "NearbyCommand",
      dependencies: [
        "AnnotationImport", "AnnotationSources", "BusinessHours", "Geofencing",
        "GeoJSONCoding", "Geodesy",
        "IndexFiles", "LocationFiltering", "MapAnnotations", "MapProjections", "NearbySampleData",
        "NearbySearch", "PROJTransforms", "SQLiteStore", "SourceFetching", "SpatialIndexing",
        "SystemCalls", "TextMaps", "TrackImport", "ViewportClustering", "WebMaps",
        .target(name: "NearbyHTTP", condition: .when(traits: ["Server"])),
        .target(name: "PostGISStore", condition: .when(traits: ["PostgreSQL"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      // It has no inner loops, and nearly all of its code copies options: for size, it compiles in half the time.
      swiftSettings: [.unsafeFlags(["-Osize"], .when(configuration: .release))]),
    .target(
      name: "NearbyKit",
      dependencies: [
        "BusinessHours", "Geofencing", "GeoJSONCoding", "Geodesy", "LocationFiltering",
        "MapAnnotations", "MapProjections", "NearbySearch", "SpatialIndexing", "ViewportClustering",
      ]),

    // Tests, one target for each library, and what they share.
    .target(
      name: "NearbyTestSupport",
      dependencies: ["BusinessHours", "Geodesy", "MapAnnotations", "NearbySearch"],
      path: "Tests/NearbyTestSupport"),
    // Debian's libproj-dev: an independent judge of geodesics and projections, in tests only.
    .systemLibrary(
      name: "CNearbyPROJ", path: "Tests/CNearbyPROJ", pkgConfig: "proj",
      providers: [.apt(["libproj-dev"]), .brew(["proj"])]),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "NearbyTestSupport", "CNearbyPROJ"]),
    .testTarget(
      name: "SpatialIndexingTests",
      dependencies: ["SpatialIndexing", "CNearbyKernels", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "LocationFilteringTests",
      dependencies: ["LocationFiltering", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "BusinessHoursTests", dependencies: ["BusinessHours", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "MapProjectionsTests", dependencies: ["MapProjections", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "PROJTransformsTests",
      dependencies: [
        "PROJTransforms", "MapProjections", "Geodesy", "NearbyTestSupport", "CNearbyPROJ",
      ]),
    .testTarget(
      name: "MapAnnotationsTests",
      dependencies: ["MapAnnotations", "BusinessHours", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "NearbySearchTests",
      dependencies: [
        "NearbySearch", "MapAnnotations", "BusinessHours", "LocationFiltering", "SpatialIndexing",
        "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "ViewportClusteringTests",
      dependencies: [
        "ViewportClustering", "GeoJSONCoding", "MapAnnotations", "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "GeofencingTests",
      dependencies: [
        "Geofencing", "MapAnnotations", "LocationFiltering", "SpatialIndexing", "Geodesy",
        "NearbyTestSupport",
      ]),
    .testTarget(
      name: "GeoJSONCodingTests",
      dependencies: ["GeoJSONCoding", "MapAnnotations", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "GPXCodingTests",
      dependencies: ["GPXCoding", "MapAnnotations", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "WorldOutlinesTests",
      dependencies: ["WorldOutlines", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "TextMapsTests",
      dependencies: ["TextMaps", "MapAnnotations", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "WebMapsTests",
      dependencies: [
        "WebMaps", "GeoJSONCoding", "GzipReading", "ViewportClustering", "MapAnnotations",
        "MapProjections", "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "AnnotationImportTests",
      dependencies: [
        "AnnotationImport", "GeoJSONCoding", "GzipReading", "NearbySearch", "MapAnnotations",
        "MapProjections", "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "TrackImportTests",
      dependencies: [
        "TrackImport", "BusinessHours", "LocationFiltering", "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "SampleDataTests",
      dependencies: [
        "NearbySampleData", "AnnotationImport", "MapAnnotations", "Geodesy", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "IndexFilesTests",
      dependencies: ["IndexFiles", "SpatialIndexing", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "SQLiteStore", "GeoJSONCoding", "MapAnnotations", "Geodesy", "NearbyTestSupport",
        .target(name: "CNearbySQLite", condition: .when(traits: ["Store"])),
      ],
      // A store that version 1 made, which every later version has to open.
      exclude: ["Fixtures"]),
    .testTarget(
      name: "PostGISStoreTests",
      dependencies: [
        "PostGISStore", "AnnotationImport", "BusinessHours", "GeoJSONCoding", "Geodesy",
        "MapAnnotations", "NearbySearch", "NearbyTestSupport", "SpatialIndexing",
      ]),
    .testTarget(
      name: "SourceFetchingTests",
      dependencies: ["SourceFetching", "MapAnnotations", "Geodesy", "NearbyTestSupport"]),
    .testTarget(
      name: "NearbyHTTPTests",
      dependencies: [
        "NearbyHTTP", "AnnotationImport", "AnnotationSources", "BusinessHours", "GeoJSONCoding",
        "Geodesy", "MapAnnotations",
        "NearbySearch", "SQLiteStore", "SystemCalls", "NearbyTestSupport",
      ]),
    .testTarget(
      name: "NearbyCommandTests",
      dependencies: [
        "NearbyCommand", "AnnotationImport", "AnnotationSources", "MapAnnotations", "SQLiteStore",
        "NearbySampleData", "SpatialIndexing", "TextMaps", "TrackImport", "NearbyTestSupport",
      ]),
    // Compiles the examples of the README and the DocC pages, and compares the texts.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "AnnotationImport", "IndexFiles", "NearbyKit", "PROJTransforms", "SourceFetching",
        "TextMaps", "WebMaps", "NearbyTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The readers under a fuzzer that is led by what they run through: for `.ci/night` alone, which asks by
// this variable. Whoever uses the package sees neither these targets nor these flags.
if Context.environment["NEARBY_FUZZ"] != nil {
  let libraries = package.targets.filter { $0.type == .regular && $0.name != "NearbyTestSupport" }
  for target in libraries {
    target.swiftSettings = [.unsafeFlags(["-sanitize=fuzzer"])]
    target.cSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link"])]
  }
  package.targets += [
    .target(name: "CNearbyFuzzing", path: "Tests/Fuzzing/CNearbyFuzzing"),
    .executableTarget(
      name: "fuzzing",
      dependencies: [
        "AnnotationImport", "BusinessHours", "CNearbyFuzzing", "GPXCoding", "GeoJSONCoding",
        "Geodesy", "IndexFiles", "MapAnnotations", "NearbySearch", "PROJTransforms", "SQLiteStore",
        "SpatialIndexing", "TrackImport", "WebMaps",
      ],
      path: "Tests/Fuzzing/Fuzzing",
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
}

// Tests ask brute force beside the core millions of times, for which `.ci/run` has the core optimized. Apps and the
// program are built by their configuration alone.
if Context.environment["NEARBY_OPTIMIZED_CORE"] != nil {
  let core = ["BusinessHours", "Geodesy", "MapAnnotations", "NearbySearch", "SpatialIndexing"]
  for target in package.targets where core.contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-O"])]
  }
}
