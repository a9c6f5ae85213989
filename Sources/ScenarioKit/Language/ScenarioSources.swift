import Foundation

/// The source of the files that a scenario refers to.
package struct ScenarioSources: Sendable {
    /// The reason why a file cannot be read.
    package struct Unreadable: Error, Hashable, Sendable {
        package var reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// Returns the bytes of the file at that path.
    package var read: @Sendable (_ path: String) throws(Unreadable) -> [UInt8]

    package init(read: @escaping @Sendable (_ path: String) throws(Unreadable) -> [UInt8]) {
        self.read = read
    }

    /// Sources without any files.
    package static let none = ScenarioSources { _ throws(Unreadable) in
        throw Unreadable("is not available here")
    }

    /// The files of the local file system.
    package static let files = ScenarioSources { path throws(Unreadable) in
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw Unreadable("does not exist")
        }
        guard !isDirectory.boolValue else { throw Unreadable("is a directory") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Unreadable("cannot be read")
        }
        defer { try? file.close() }
        // The number of bytes that are read is bounded, because some device files have no end.
        var bytes: [UInt8] = []
        do {
            while bytes.count <= ScenarioBounds.fileBytesMax,
                let more = try file.read(upToCount: 65_536), !more.isEmpty
            {
                bytes += more
            }
        } catch {
            throw Unreadable("cannot be read")
        }
        guard bytes.count <= ScenarioBounds.fileBytesMax else {
            throw Unreadable("is larger than \(ScenarioBounds.fileBytesMax) bytes")
        }
        return bytes
    }

    /// Resolves `path`, which is relative to the folder of the file at `origin`. Removes `.` and
    /// `..` where possible.
    static func path(_ path: String, from origin: String) -> String {
        var parts: [Substring] = []
        if !path.hasPrefix("/") {
            parts = origin.split(separator: "/", omittingEmptySubsequences: true).dropLast()
        }
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let isAbsolute = path.hasPrefix("/") || origin.hasPrefix("/")
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }
}
