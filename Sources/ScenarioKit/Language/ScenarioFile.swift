import Foundation

/// A scenario in a file.
package enum ScenarioFile {
    /// The reason why a file cannot be read as a scenario.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The path of the file. If the text is invalid, the line and the column are appended to
        /// the path.
        package var location: String
        package var reason: String

        package init(location: String, reason: String) {
            self.location = location
            self.reason = reason
        }

        package var description: String { "\(location): \(reason)" }
    }

    /// Reads and parses the file. The scenario gets the name of the file without its extension.
    package static func read(_ path: String) throws(Failure) -> Scenario {
        let bytes: [UInt8]
        do throws(ScenarioSources.Unreadable) {
            bytes = try ScenarioSources.files.read(path)
        } catch {
            throw Failure(location: path, reason: error.reason)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let place = Self.positionOfInvalidUTF8(in: bytes, path)
            throw Failure(location: place.description, reason: "expected UTF-8, found other bytes")
        }
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        do {
            return try ScenarioParser.parse(text, name: name, path: path, sources: .files)
        } catch {
            var place = error.position
            place.file = place.file ?? path
            throw Failure(
                location: place.description,
                reason: "expected \(error.expected), found \(error.found)")
        }
    }

    /// Returns the position of the first bytes that are not valid UTF-8.
    private static func positionOfInvalidUTF8(in bytes: [UInt8], _ path: String) -> SourcePosition {
        var place = SourcePosition(line: 1, column: 1, file: path)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: line, as: UTF8.self) == nil {
                var decoder = UTF8()
                var rest = line.makeIterator()
                while case .scalarValue(let scalar) = decoder.decode(&rest) {
                    // A byte order mark at the start does not count as a column.
                    if place.line > 1 || place.column > 1 || scalar != "\u{FEFF}" {
                        place.column += 1
                    }
                }
                return place
            }
            place.line += 1
        }
        return place
    }
}
