import Foundation

/// One recorded path, or several paths that are drawn together. A case has the input, the result of
/// a reference parser of SVG, and the results of both versions of the original. Format
/// `oracle-svg/1`.
struct SVGOracleCase: Decodable {
    struct Input: Decodable {
        struct Part: Decodable {
            var path: String
            /// The overall progress at which this part begins to be drawn.
            var time: Double
        }

        var parts: [Part]
        /// x, y, width, height.
        var frame: [Double]
        var proportions: [Double]
        /// Version 0.1.1: whether later parts are scaled and moved like the first.
        var shouldScaleAsFirstElement: Bool?
    }

    struct Reference: Decodable {
        var nodes: [SVGOracleNode]
        /// The error at which the parser stopped.
        var error: String?
    }

    /// The outcome of one step of the original: a result or a failure. The steps ran separately.
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
        /// Nil if there are several parts: a scale is recorded only for a single part.
        var scale: SVGOracleNode.Number?
        var nodes: [SVGOracleNode]
    }

    struct Drawing: Decodable {
        var proportion: Double
        /// The number of drawn path elements.
        var elements: Int
        var last: SVGOracleNode?
        var path: [SVGOracleNode]?
    }

    struct Smooth: Decodable {
        var scaled: Outcome<Nodes>?
        /// Recorded only for version 0.2.1, which smoothes a path before it scales it.
        var smoothedUnscaled: Outcome<Nodes>?
        var drawn: Outcome<[Drawing]>
    }

    struct Run: Decodable {
        /// The nodes by part, with absolute coordinates and without shorthands.
        var simplified: [Outcome<[SVGOracleNode]>]
        /// The results by `timesSmooth`.
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

    /// The folder that the environment variable `ORACLE_DIR` names. The fixtures if it is not set.
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
