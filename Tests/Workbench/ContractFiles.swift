package import Foundation
package import Testing

/// The files of the tree that are generated from the contract of the protocol (the module
/// `WireContract`). With `REGENERATE_DOCS=1`, `hold` writes them
/// instead of comparing them.
package enum ContractFiles {
    package static let root = ProjectFolder.root

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    package static func hold(
        _ path: String, to text: String, _ place: SourceLocation = #_sourceLocation
    ) throws {
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try Data(text.utf8).write(to: root.appending(path: path))
        } else {
            // `#expect` does not compare the texts, because it would print thousands of different
            // lines.
            let isCurrent = try Self.text(path) == text
            #expect(
                isCurrent,
                "\(path) is outdated: run REGENERATE_DOCS=1 swift test --filter Contract",
                sourceLocation: place)
        }
    }
}
