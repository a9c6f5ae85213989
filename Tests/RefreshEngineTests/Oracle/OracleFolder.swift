import Foundation

/// The folder of traces, recordings and verdicts (see `OracleTests`): the fixtures, or the folder
/// in `ORACLE_DIR`, which has the same layout.
enum OracleFolder {
    static let url: URL = {
        if let path = ProcessInfo.processInfo.environment["ORACLE_DIR"], !path.isEmpty {
            return URL(filePath: path)
        }
        return fixtures.appending(path: "oracle")
    }()

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    /// Whether the compared runs are printed step by step. They are if the environment variable
    /// `ORACLE_SEED` is set.
    static let isVerbose = ProcessInfo.processInfo.environment["ORACLE_SEED"] != nil

    /// The project's own traces, for which there are no recordings.
    static func rehearsals() throws -> [OracleTrace] {
        let folder = fixtures.appending(path: "rehearsals")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.sorted().map {
                try JSONDecoder().decode(
                    OracleTrace.self, from: Data(contentsOf: folder.appending(path: $0)))
            }
    }

    /// The traces for which a recording of `peer` exists, sorted by name.
    static func names(of peer: Peer) throws -> [String] {
        let folder = url.appending(path: peer.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: url.appending(path: path)))
    }

    /// An original, which is a library whose behaviour was recorded. The JSON files of the fixtures
    /// call an original a peer.
    enum Peer: String, CaseIterable, Sendable {
        case iqpulltorefresh
        case mrefresh

        /// The versions whose rules are known.
        var versions: [String] { self == .mrefresh ? ["0.1.1", "0.2.1"] : ["3.0.3"] }
    }
}
