// swift-tools-version: 6.2
// An app that embeds NearbyKit and nothing else; `.ci/run` builds it to prove what that costs.

import PackageDescription

// CONSUMER_TRAITS=none says `traits: []`; otherwise the app says nothing of traits.
let saysNoTraits = Context.environment["CONSUMER_TRAITS"] == "none"
let nearby = "../.."

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    saysNoTraits
      ? .package(name: "nearby", path: nearby, traits: []) : .package(name: "nearby", path: nearby)
  ],
  targets: [
    .executableTarget(
      name: "Consumer", dependencies: [.product(name: "NearbyKit", package: "nearby")])
  ],
  swiftLanguageModes: [.v6]
)
