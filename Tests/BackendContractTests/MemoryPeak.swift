import Foundation

/// The most bytes that the process ever had resident.
func memoryPeakBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(separator: " ").compactMap { Int($0) }.first
    return (kibibytes ?? .max / 1024) * 1024
}
