import Foundation

/// The files that a scenario names.
package struct ScenarioSources: Sendable {
    /// Why there is nothing to read.
    package struct Unreadable: Error, Hashable, Sendable {
        package var reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// The bytes of the file at that path.
    package var read: @Sendable (_ path: String) throws(Unreadable) -> [UInt8]

    package init(read: @escaping @Sendable (_ path: String) throws(Unreadable) -> [UInt8]) {
        self.read = read
    }

    /// No files at all.
    package static let none = ScenarioSources { _ throws(Unreadable) in
        throw Unreadable("is not to be had here")
    }

    /// Those of the machine.
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
        // What has no end, as some devices, is not read to it.
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

    /// Where `path` leads from the file at `origin`, without `.` and `..` where that can be.
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
