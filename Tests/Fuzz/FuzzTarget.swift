import RefreshIndicator

/// What comes from outside and is read by us, by the name of its corpus. Source: docs/testing.md.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// A frame of a client.
    case message
    /// The first frame of a client that may come back to a session.
    case hello
    /// What a client gives as its sealed snapshot.
    case seal
    /// What a snapshot holds, of somebody who has the key.
    case snapshot
    /// A configuration file.
    case configuration
    /// A scenario file.
    case scenario
    /// An HTTP server's answer to a backend.
    case answer
    /// SVG path data.
    case path

    /// Reads the input, right or wrong, and holds what comes of it to its promises. A broken one
    /// ends the process.
    func run(_ input: [UInt8]) {
        switch self {
        case .message: MessageProperties.check(input)
        case .hello: HelloProperties.check(input)
        case .seal: SealProperties.check(input)
        case .snapshot: SnapshotProperties.check(input)
        case .configuration: ConfigurationProperties.check(input)
        case .scenario: ScenarioProperties.check(input)
        case .answer: AnswerProperties.check(input)
        case .path: Self.checkPath(String(decoding: input, as: UTF8.self))
        }
    }

    private static func checkPath(_ text: String) {
        let result = parsed(text)
        require(parsed(text) == result, "it is the same the second time")
        switch result {
        case .success(let path):
            var fractions = Fractions(seed: text.utf8)
            PathProperties(path).check(with: &fractions)
        case .failure(let error):
            require(
                (0...text.unicodeScalars.count).contains(error.position),
                "an error is at a place of the text")
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
