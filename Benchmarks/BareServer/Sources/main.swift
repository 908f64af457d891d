import Hummingbird
import Logging

// bare-server PORT BYTES: answers every request for / and for the path of nearest with as many bytes.
let port = Int(CommandLine.arguments[1]) ?? 8080
let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: Int(CommandLine.arguments[2]) ?? 2_000)
let router = Router()
for path in ["/", "/collections/million/nearest"] as [RouterPath] {
  router.get(path) { _, _ in
    Response(
      status: .ok, headers: [.contentType: "application/geo+json"],
      body: ResponseBody(byteBuffer: bytes))
  }
}
var logger = Logger(label: "bare")
logger.logLevel = .error
try await Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger
).runService()
