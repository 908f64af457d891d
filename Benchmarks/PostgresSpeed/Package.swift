// swift-tools-version: 6.2
// A package of its own, so that nothing else here needs libpq's trait.

import PackageDescription

let package = Package(
  name: "postgres-speed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nearby", path: "../..", traits: ["PostgreSQL"])],
  targets: [
    .executableTarget(
      name: "postgres-speed",
      dependencies: [
        .product(name: "NearbyKit", package: "nearby"),
        .product(name: "PostGISStore", package: "nearby"),
        .product(name: "AnnotationImport", package: "nearby"),
      ], path: "Sources/PostgresSpeed")
  ]
)
