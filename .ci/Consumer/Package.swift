// swift-tools-version: 6.2
// An app that embeds NearbyKit and nothing else of nearby; `.ci/run` builds it to prove what that costs.

import PackageDescription

// CONSUMER_TRAITS=none says `traits: []`; otherwise the app says nothing of traits.
let saysNoTraits = Context.environment["CONSUMER_TRAITS"] == "none"
let nearby = "../.."

// Another package with targets of common names, which `.ci/consumer` writes: no target of nearby may be
// called like one of them, or no app could take both.
let others = ".build-others"

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    saysNoTraits
      ? .package(name: "nearby", path: nearby, traits: []) : .package(name: "nearby", path: nearby),
    .package(name: "others", path: others),
  ],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "NearbyKit", package: "nearby"), .product(name: "Others", package: "others"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
