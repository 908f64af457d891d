// swift-tools-version: 6.2
// Benchmarks live in a package of their own, so that nobody who builds nearby builds a rival.

import PackageDescription

let package = Package(
  name: "nearby-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "nearby", path: "..", traits: [])],
  targets: [
    // Debian's libproj-dev: the rival for single distances, and their judge.
    .systemLibrary(
      name: "CPROJ", pkgConfig: "proj",
      providers: [.apt(["libproj-dev"]), .brew(["proj"])]),
    // The figures of the README's first table.
    .executableTarget(
      name: "ReadmeTable",
      dependencies: [
        "CPROJ",
        .product(name: "AnnotationImport", package: "nearby"),
        .product(name: "NearbyKit", package: "nearby"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
