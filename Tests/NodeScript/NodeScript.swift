import Foundation
import RefreshProtocol

/// The evaluator of the web client, run by node.
struct WebClientEvaluator {
    struct Unusable: Error, CustomStringConvertible {
        var description: String
    }

    /// The lines that it prints for `lines`.
    static func run(_ lines: [String]) throws -> [JSONValue] {
        let folder = FileManager.default.temporaryDirectory
        let input = folder.appendingPathComponent("programmes-\(UUID().uuidString).jsonl")
        let output = folder.appendingPathComponent("looks-\(UUID().uuidString).jsonl")
        defer {
            try? FileManager.default.removeItem(at: input)
            try? FileManager.default.removeItem(at: output)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["node", script.path]
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

    private static var script: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../WebClient/evaluate.mjs").standardizedFileURL
    }
}
