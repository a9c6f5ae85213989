import Foundation

/// A folder of files in the formats of the kernel. The folder is removed with the last reference to
/// this object.
final class FakeKernel: Sendable {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("memory-\(UUID().uuidString)")

    static let page = Int(getpagesize())

    func write(_ path: String, _ text: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // The write must not be atomic, because an open file must change.
        if let handle = FileHandle(forWritingAtPath: file.path) {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } else {
            try Data(text.utf8).write(to: file)
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
