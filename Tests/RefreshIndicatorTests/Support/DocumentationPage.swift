import Foundation

/// The project's documentation.
enum DocumentationPage {
    static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../..").standardizedFileURL
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
