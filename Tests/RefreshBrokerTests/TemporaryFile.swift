import Foundation

/// A file in a folder of its own, gone with this object.
final class TemporaryFile: Sendable {
    let path: String
    private let folder: URL

    init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: name).path
    }

    convenience init(_ name: String, _ text: String) throws {
        try self.init(name)
        try write(Array(text.utf8))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Replaces the content in place: the inode stays.
    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    var modificationDate: Date {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return attributes[.modificationDate] as? Date ?? .distantPast
        }
    }

    func setModificationDate(_ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// Says that the content was changed so many seconds ago.
    func age(bySeconds seconds: Double) throws {
        try setModificationDate(Date(timeIntervalSinceNow: -seconds))
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
