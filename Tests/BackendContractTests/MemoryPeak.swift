import Foundation

/// From now on the peak of the process counts.
func resetMemoryPeak() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
}

/// The most bytes that the process had resident since then.
func memoryPeakBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(separator: " ").compactMap { Int($0) }.first
    return (kibibytes ?? .max / 1024) * 1024
}
