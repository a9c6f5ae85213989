import Foundation

/// The threads of connections to the bus: their own threads, and the threads of libnats that these
/// have created and that have inherited the name.
enum BusThreads {
    /// The `stat` files of the threads in procfs.
    static func statFiles() -> [String] {
        let tasks = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.map { "\(tasks)/\($0)/stat" }.filter {
            let text = (try? String(contentsOfFile: $0, encoding: .utf8)) ?? ""
            return text.contains("(bus)")
        }
    }
}
