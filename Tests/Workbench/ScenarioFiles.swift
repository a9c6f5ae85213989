package import Foundation

/// The scenarios of the repository.
package enum ScenarioFiles {
    package static let directory = ProjectFolder.root.appending(path: "scenarios")

    /// The names without the extension, sorted.
    package static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (files ?? []).filter { $0.hasSuffix(".scenario") }
            .map { String($0.dropLast(".scenario".count)) }.sorted()
    }()

    package static func path(of name: String) -> String {
        directory.appending(path: "\(name).scenario").path
    }
}
