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

    /// Reads and parses the file; the scenario has its name, without the ending.
    package static func read(_ path: String) throws(Failure) -> Scenario {
        let text: String?
        do throws(ScenarioSources.Unreadable) {
            text = String(bytes: try ScenarioSources.files.read(path), encoding: .utf8)
        } catch {
            throw Failure(place: path, reason: error.reason)
        }
        guard let text else { throw Failure(place: path, reason: "is no UTF-8") }
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        do {
            return try ScenarioParser.parse(text, name: name, path: path, sources: .files)
        } catch {
            var place = error.position
            place.file = place.file ?? path
            throw Failure(
                place: place.description,
                reason: "expected \(error.expected), found \(error.found)")
        }
    }
}
