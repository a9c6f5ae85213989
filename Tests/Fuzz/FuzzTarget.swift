import RefreshIndicator

/// The kinds of input from outside that this project parses. Each case has the name of its corpus.
/// Source: docs/testing.md.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// A frame from a client.
    case message
    /// The first frame of a client. The frame may resume a session.
    case hello
    /// A text that a client presents as its sealed snapshot.
    case seal
    /// The content of a snapshot, as an attacker who has the sealing key could write it.
    case snapshot
    /// A configuration file.
    case configuration
    /// A scenario file.
    case scenario
    /// The answer of an HTTP server to the daemon's HTTP backend.
    case answer
    /// A stream of changes of an HTTP server, and the report of a change.
    case changes
    /// A message of the bus of a cluster.
    case bus
    /// The answer of a backend to an edit, a message of a worker, and the operation of an edit.
    case edit
    /// SVG path data.
    case path

    /// Parses the input, which may be invalid, and checks the promises about the result. A broken
    /// promise ends the process.
    func run(_ input: [UInt8]) {
        switch self {
        case .message: MessageProperties.check(input)
        case .hello: HelloProperties.check(input)
        case .seal: SealProperties.check(input)
        case .snapshot: SnapshotProperties.check(input)
        case .configuration: ConfigurationProperties.check(input)
        case .scenario: ScenarioProperties.check(input)
        case .answer: AnswerProperties.check(input)
        case .changes: ChangeProperties.check(input)
        case .bus: BusProperties.check(input)
        case .edit: EditProperties.check(input)
        case .path: Self.checkPath(String(decoding: input, as: UTF8.self))
        }
    }

    private static func checkPath(_ text: String) {
        let result = parsed(text)
        require(parsed(text) == result, "the same text is parsed equally twice")
        switch result {
        case .success(let path):
            var fractions = Fractions(seed: text.utf8)
            PathProperties(path).check(with: &fractions)
        case .failure(let error):
            require(
                (0...text.unicodeScalars.count).contains(error.position),
                "the position of an error is in the text")
        }
    }

    private static func parsed(_ text: String) -> Result<SVGPath, SVGPathError> {
        do throws(SVGPathError) {
            return .success(try SVGPath(parsing: text))
        } catch {
            return .failure(error)
        }
    }
}
