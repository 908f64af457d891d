// swift-tools-version: 6.2
// What `nearby serve` is compared with: Hummingbird alone, with one route that returns a constant.

import PackageDescription

let package = Package(
  name: "bare-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "bare-server", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources")
  ])
