package import Foundation

/// A file in a temporary folder. Both are removed when this object is released.
package final class TemporaryFile: Sendable {
    package let path: String
    private let folder: URL

    package init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: name).path
    }

    package convenience init(_ name: String, _ text: String) throws {
        try self.init(name)
        try write(Array(text.utf8))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Replaces the content in place, so the inode stays the same.
    package func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    package func write(_ text: String) throws { try write(Array(text.utf8)) }

    package var modificationDate: Date {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return attributes[.modificationDate] as? Date ?? .distantPast
        }
    }

    package func setModificationDate(_ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// Sets the modification time to this many seconds ago.
    package func age(bySeconds seconds: Double) throws {
        try setModificationDate(Date(timeIntervalSinceNow: -seconds))
    }

    package func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
