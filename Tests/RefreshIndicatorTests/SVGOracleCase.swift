import Foundation

/// One recorded path, or some drawn together: the input, what a plain reader of SVG makes of it,
/// and what both versions of the original do. Format `oracle-svg/1`.
struct SVGOracleCase: Decodable {
    struct Input: Decodable {
        struct Part: Decodable {
            var path: String
            /// The progress of the whole from which on it is drawn.
            var time: Double
        }

        var parts: [Part]
        /// x, y, width, height.
        var frame: [Double]
        var proportions: [Double]
        /// Version 0.1.1: later parts are scaled and moved as the first is.
        var shouldScaleAsFirstElement: Bool?
    }

    struct Reference: Decodable {
        var nodes: [SVGOracleNode]
        /// Why it could read no further.
        var error: String?
    }

    /// What came of a step, which ran on its own: a result, or how it failed.
    enum Outcome<Value: Decodable>: Decodable {
        case result(Value)
        /// The original's thrown error, or its crash.
        case failure(String)

        private enum Key: String, CodingKey {
            case crash
            case error
        }

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Key.self),
                let key = members.allKeys.first
            {
                self = .failure(try members.decode(String.self, forKey: key))
            } else {
                self = .result(try Value(from: decoder))
            }
        }

        var result: Value? { if case .result(let value) = self { value } else { nil } }
    }

    struct Nodes: Decodable {
        /// Nil without one of a single part, which is where a scale is recorded.
        var scale: SVGOracleNode.Number?
        var nodes: [SVGOracleNode]
    }

    struct Drawing: Decodable {
        var proportion: Double
        /// Drawn path elements.
        var elements: Int
        var last: SVGOracleNode?
        var path: [SVGOracleNode]?
    }

    struct Smooth: Decodable {
        var scaled: Outcome<Nodes>?
        /// Version 0.2.1, which smoothes first.
        var smoothedUnscaled: Outcome<Nodes>?
        var drawn: Outcome<[Drawing]>
    }

    struct Run: Decodable {
        /// By part: absolute, without shorthands.
        var simplified: [Outcome<[SVGOracleNode]>]
        /// By `timesSmooth`.
        var byTimesSmooth: [String: Smooth]
    }

    var name: String
    var input: Input
    var specReference: [Reference]
    var runs: [String: Run]

    var frame: [Double] { input.frame }

    static func all() throws -> [SVGOracleCase] {
        let folder = root.appending(path: "svg")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.sorted().map {
                try JSONDecoder().decode(
                    SVGOracleCase.self, from: Data(contentsOf: folder.appending(path: $0)))
            }
    }

    /// The fixtures, or the folder that `ORACLE_DIR` names.
    private static let root = named ?? tests.appending(path: "RefreshIndicatorTests/Fixtures")

    /// The folder of the verdicts.
    static let verdicts = named ?? tests.appending(path: "RefreshEngineTests/Fixtures/oracle")

    private static let named: URL? = {
        let path = ProcessInfo.processInfo.environment["ORACLE_DIR"] ?? ""
        return path.isEmpty ? nil : URL(filePath: path)
    }()

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
}
