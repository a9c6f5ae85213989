import Foundation

/// Where traces, recordings and verdicts lie: in the fixtures, or in the folder that `ORACLE_DIR`
/// names, which has the same layout.
enum OracleFolder {
    static let url: URL = {
        if let path = ProcessInfo.processInfo.environment["ORACLE_DIR"], !path.isEmpty {
            return URL(filePath: path)
        }
        return fixtures.appending(path: "oracle")
    }()

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    /// Whether one run is looked at, step by step.
    static let isVerbose = ProcessInfo.processInfo.environment["ORACLE_SEED"] != nil

    /// Traces of ours, of which there are no recordings.
    static func rehearsals() throws -> [OracleTrace] {
        let folder = fixtures.appending(path: "rehearsals")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.sorted().map {
                try JSONDecoder().decode(
                    OracleTrace.self, from: Data(contentsOf: folder.appending(path: $0)))
            }
    }

    /// The traces of which a recording of `peer` exists, in the order of their names.
    static func names(of peer: Peer) throws -> [String] {
        let folder = url.appending(path: peer.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: url.appending(path: path)))
    }

    /// An original that was recorded.
    enum Peer: String, CaseIterable, Sendable {
        case iqpulltorefresh
        case mrefresh

        /// The versions whose rules are known.
        var versions: [String] { self == .mrefresh ? ["0.1.1", "0.2.1"] : ["3.0.3"] }
    }
}
