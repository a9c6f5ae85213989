import Foundation

/// A scenario in a file.
package enum ScenarioFile {
    /// Why a file gives no scenario.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file's path, with line and column where the text is at fault.
        package var place: String
        package var reason: String

        package var description: String { "\(place): \(reason)" }
    }

    /// Larger files are no scenarios, bytes.
    private static let bytesMax = 1_048_576

    /// Reads and parses the file; the scenario has its name, without the ending.
    package static func read(_ path: String) throws(Failure) -> Scenario {
        let url = URL(filePath: path)
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw Failure(place: path, reason: "cannot be read")
        }
        guard data.count <= bytesMax, let text = String(data: data, encoding: .utf8) else {
            throw Failure(place: path, reason: "is no text of at most \(bytesMax) bytes")
        }
        let name = url.deletingPathExtension().lastPathComponent
        do {
            return try ScenarioParser.parse(text, name: name)
        } catch {
            throw Failure(
                place: "\(path):\(error.position.line):\(error.position.column)",
                reason: "expected \(error.expected), found \(error.found)")
        }
    }
}
