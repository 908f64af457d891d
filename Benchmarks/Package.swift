// swift-tools-version: 6.2
// Benchmarks live in a package of their own, so that nobody who builds nearby builds a rival.

import PackageDescription

let package = Package(
  name: "nearby-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "spatial-benchmark", targets: ["SpatialBenchmark"]),
    .executable(name: "hot-operations", targets: ["HotOperations"]),
    .executable(name: "app-speed", targets: ["AppSpeed"]),
    .executable(name: "geojson-speed", targets: ["GeoJSONSpeed"]),
    .executable(name: "written-hours", targets: ["WrittenHoursTable"]),
    .executable(name: "open-speed", targets: ["OpenSpeed"]),
    .executable(name: "fence-speed", targets: ["FenceSpeed"]),
    .executable(name: "shape-speed", targets: ["ShapeSpeed"]),
    .executable(name: "index-file-speed", targets: ["IndexFileSpeed"]),
    .executable(name: "cluster-speed", targets: ["ClusterSpeed"]),
    .executable(name: "condition-speed", targets: ["ConditionSpeed"]),
    // Opened by spatial-benchmark where it stands beside it.
    .library(name: "NativePeers", type: .dynamic, targets: ["CPeersNative"]),
  ],
  dependencies: [
    .package(name: "nearby", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Debian's libproj-dev: the rival for single distances, and their judge.
    .systemLibrary(
      name: "CPROJ", pkgConfig: "proj",
      providers: [.apt(["libproj-dev"]), .brew(["proj"])]),
    // Debian's libpq-dev: the way to a PostgreSQL server with PostGIS, when one is named.
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // The rivals of the index, each in a file, behind one C interface. Debian's libnanoflann-dev,
    // libcgal-dev, libboost-dev, libgeos-dev, libs2-dev and libsqlite3-dev.
    .target(
      name: "CPeers",
      // SwiftPM adds -O2, by which they execute fewer instructions than by -O3.
      cxxSettings: [.define("NDEBUG")],
      linkerSettings: [
        .linkedLibrary("geos_c"), .linkedLibrary("s2"), .linkedLibrary("sqlite3"),
      ]),
    // The same sources (a symbolic link) with the best flags for this machine. A library of its own: linked
    // into one program, both builds would share one copy of each inline function.
    .target(
      name: "CPeersNative",
      cxxSettings: [
        .define("NDEBUG"),
        .unsafeFlags([
          "-O3", "-march=native", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
        ]),
      ],
      linkerSettings: [
        .linkedLibrary("geos_c"), .linkedLibrary("s2"), .linkedLibrary("sqlite3"),
        .unsafeFlags(["-Xlinker", "-Bsymbolic"]),
      ]),
    // The kernels of the tree, from the header that they are written in, to be timed one by one.
    .target(name: "CKernelPieces"),
    // The sources of Geodesy once more (a symbolic link): what they declare `package` is seen here.
    .target(name: "GeodesyInside"),
    // Numbers that are the same in every run, for whatever makes its own data and questions.
    .target(name: "SeededNumbers"),
    // What a slip ends in: a line with a remedy, and a status.
    .target(name: "Complaints"),
    // Time by the clock, or the processor time of the process or of a thread.
    .target(name: "Stopwatches"),
    // The suite: the index beside its rivals, a thousand answers of each row checked.
    .executableTarget(
      name: "SpatialBenchmark",
      dependencies: [
        "CKernelPieces",
        "CPeers",
        "CPROJ",
        "CPostgres",
        "Complaints",
        "GeodesyInside",
        "SeededNumbers",
        "Stopwatches",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // The figures of the README's first table.
    .executableTarget(
      name: "ReadmeTable",
      dependencies: [
        "CPROJ",
        "Complaints",
        "SeededNumbers",
        "Stopwatches",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // How often rules of movement ask along real tracks, and how often what they show is wrong.
    .executableTarget(
      name: "RefreshTable",
      dependencies: [
        "Complaints",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
        .product(name: "TrackImport", package: "nearby"),
      ]),
    // Transforms in pure Swift beside PROJ's.
    .executableTarget(
      name: "ProjectionTable",
      dependencies: [
        "Complaints",
        "Stopwatches",
        .product(name: "NearbyKit", package: "nearby"),
        .product(name: "PROJTransforms", package: "nearby"),
      ]),
    // An index file opened and first answered, beside reading it.
    .executableTarget(
      name: "IndexFileSpeed",
      dependencies: [
        "Complaints",
        .product(name: "IndexFiles", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // How fast GeoJSON is read and written, beside Foundation and GDAL.
    .executableTarget(
      name: "GeoJSONSpeed",
      dependencies: ["Complaints", "Stopwatches", .product(name: "NearbyKit", package: "nearby")]),
    // How much of real columns of hours and closing days is understood.
    .executableTarget(
      name: "WrittenHoursTable",
      dependencies: [
        "Complaints",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // The nearest that are open beside the nearest of all.
    .executableTarget(
      name: "OpenSpeed",
      dependencies: [
        "Complaints", "SeededNumbers", "Stopwatches",
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // Fences and pairs: one moving object and many, checked by a look at every fence.
    .executableTarget(
      name: "FenceSpeed",
      dependencies: [
        "Complaints", "SeededNumbers", "Stopwatches",
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // Lines and areas by their shape; shape_judge.py asks shapely and GEOS the same.
    .executableTarget(
      name: "ShapeSpeed",
      dependencies: [
        "Complaints", "SeededNumbers", "Stopwatches",
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // Clusters beside a plain implementation of supercluster's rule.
    .executableTarget(
      name: "ClusterSpeed",
      dependencies: ["Complaints", "Stopwatches", .product(name: "NearbyKit", package: "nearby")]),
    // What annotations cost beside bare positions.
    .executableTarget(
      name: "AppSpeed",
      dependencies: [
        "Complaints", "SeededNumbers", "Stopwatches",
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // Conditions over a million rows, beside closures and, by condition_speed.py, beside DuckDB.
    .executableTarget(
      name: "ConditionSpeed",
      dependencies: [
        "Complaints",
        "Stopwatches",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
    // What `.ci/instructions` counts: hot operations without rivals, so that it builds quickly.
    .executableTarget(
      name: "HotOperations",
      dependencies: ["SeededNumbers", .product(name: "NearbyKit", package: "nearby")]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
