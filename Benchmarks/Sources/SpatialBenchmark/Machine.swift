import Foundation

/// The machine of a run, and how busy it was: figures of two machines are not compared.
struct Machine {
  /// A line for tables: processor, cores, system, date, load.
  static var text: String {
    let date = Date.now.formatted(.iso8601.year().month().day())
    return [processor, system, date, load].compactMap { $0 }.joined(separator: "; ")
  }

  /// What others wanted from the processors in the last minute.
  static var load: String? {
    var averages = [0.0]
    guard getloadavg(&averages, 1) == 1 else { return nil }
    return String(format: "load %.1f", averages[0])
  }

  private static var processor: String {
    let info = try? String(contentsOf: URL(filePath: "/proc/cpuinfo"), encoding: .utf8)
    let model = info?.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "\(cores) cores" + (model.map { " of \($0)" } ?? "")
  }

  private static var system: String { ProcessInfo.processInfo.operatingSystemVersionString }
}
