import Foundation
package import RefreshProtocol

/// A script of Tests/WebClient that node runs. The script reads and prints lines of JSON.
package struct NodeScript {
    package struct Unusable: Error, CustomStringConvertible {
        package var description: String
    }

    private let file: URL

    /// The script of that name in Tests/WebClient.
    package init(_ name: String) {
        file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../WebClient/\(name)").standardizedFileURL
    }

    /// Returns the script's answers to `lines`. The input and the output are files, because the
    /// script would block on a full pipe.
    package func run(_ lines: [String]) throws -> [JSONValue] {
        let folder = FileManager.default.temporaryDirectory
        let input = folder.appendingPathComponent("node-\(UUID().uuidString)-in.jsonl")
        let output = folder.appendingPathComponent("node-\(UUID().uuidString)-out.jsonl")
        defer {
            try? FileManager.default.removeItem(at: input)
            try? FileManager.default.removeItem(at: output)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["node", file.path]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Unusable(description: "node ended with \(process.terminationStatus)")
        }
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map {
            try JSONValue(parsing: $0)
        }
    }
}
