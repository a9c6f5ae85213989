import Foundation
import ScenarioKit

/// The scenarios of the tree.
enum ScenarioFiles {
    static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scenarios")

    /// Names without the ending, sorted.
    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (files ?? []).filter { $0.hasSuffix(".scenario") }
            .map { String($0.dropLast(".scenario".count)) }.sorted()
    }()

    static func scenario(_ name: String) throws -> Scenario {
        try ScenarioFile.read(directory.appending(path: "\(name).scenario").path)
    }
}
