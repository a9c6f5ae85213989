internal import ScenarioKit

/// Runs a probe against a server and judges the result. A run blocks, so call `run` on a separate
/// thread.
package struct HandshakeRun: Sendable {
    /// The verdict on a probe. A JUnit report of the conformance suite shows a case with `deviates`
    /// as passed, with the note `non-strict`.
    package enum Verdict: String, Sendable {
        case passed
        /// A known deviation, which docs/conformance.md explains.
        case deviates
        case failed
    }

    /// The reaction of a server and the verdict on it.
    package struct Result: Sendable {
        package let verdict: Verdict
        package let outcome: HandshakeProbe.Outcome
    }

    private let host: String
    private let port: UInt16
    private let path: String
    /// The time within which the server must react, in milliseconds.
    private let timeoutMs: Int

    /// Creates a run. `path` is the path at which sessions are opened.
    package init(host: String, port: UInt16, path: String, timeoutMs: Int = 5000) {
        self.host = host
        self.port = port
        self.path = path
        self.timeoutMs = timeoutMs
    }

    /// Runs the probe to its end.
    package func run(_ probe: HandshakeProbe) -> Result {
        let outcome = outcome(of: probe.steps)
        let verdict: Verdict =
            if probe.passes.contains(where: { $0.matches(outcome) }) {
                .passed
            } else if probe.deviations.contains(where: { $0.matches(outcome) }) {
                .deviates
            } else {
                .failed
            }
        return Result(verdict: verdict, outcome: outcome)
    }

    private func outcome(of steps: [HandshakeProbe.Step]) -> HandshakeProbe.Outcome {
        guard let socket = RawSocket(host: host, port: port) else { return .unreachable }
        var isUpgraded = false
        var isMute = false
        for step in steps {
            switch step {
            case .request(let method, let path, let version, let headers):
                let head = head(method, path ?? self.path, version, headers)
                socket.send(Array(head.utf8), withinMs: timeoutMs)
            case .upgrade, .upgradeWithEarlyFrame:
                var bytes = Array(head("GET", path, "HTTP/1.1", [:]).utf8)
                if case .upgradeWithEarlyFrame(let frame) = step { bytes += frame.bytes }
                socket.send(bytes, withinMs: timeoutMs)
                guard let answer = socket.readHead(withinMs: timeoutMs) else {
                    return socket.isClosedByPeer ? .hungUp : .silent
                }
                guard Self.status(of: answer) == 101 else {
                    return .status(Self.status(of: answer))
                }
                isUpgraded = true
            case .bytes(let bytes): socket.send(bytes, withinMs: timeoutMs)
            case .frame(let frame): socket.send(frame.bytes, withinMs: timeoutMs)
            case .drip(let bytes, let everyMs):
                if let head = drip(bytes, everyMs, over: socket) {
                    return .status(Self.status(of: head))
                }
            case .flood(let frame, let count): flood(frame.bytes, count, over: socket)
            case .endSending: socket.endSending()
            case .stopResponding: isMute = true
            }
        }
        return isUpgraded ? finalReaction(of: socket, untilItEnds: isMute) : response(of: socket)
    }

    private func response(of socket: RawSocket) -> HandshakeProbe.Outcome {
        guard let head = socket.readHead(withinMs: timeoutMs) else {
            return socket.isClosedByPeer ? .hungUp : .silent
        }
        return .status(Self.status(of: head))
    }

    /// Returns the server's last reaction: a close, the end of the connection or, if it stays open,
    /// the last text. If `untilItEnds` is true, texts are ignored, and the run waits up to
    /// `timeoutMs` for the end of the connection.
    private func finalReaction(
        of socket: RawSocket, untilItEnds: Bool
    ) -> HandshakeProbe.Outcome {
        var message: String?
        let end = RawSocket.nowMs + timeoutMs
        // The number of frames that are read is bounded, because the server can answer every frame
        // of a flood.
        for _ in 0..<100_000 {
            let waitMs =
                if untilItEnds {
                    end - RawSocket.nowMs
                } else {
                    message == nil ? timeoutMs : min(timeoutMs, 500)
                }
            guard let frame = Self.readFrame(from: socket, withinMs: waitMs) else { break }
            switch frame.opcode {
            case 8:
                let code = frame.payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
                return .closed(code)
            case 1: message = String(decoding: frame.payload, as: UTF8.self)
            default: break
            }
        }
        if socket.isClosedByPeer { return .hungUp }
        if untilItEnds { return .silent }
        return message.map { .message($0) } ?? .silent
    }

    /// Sends bytes one at a time. Returns the head of an answer that arrives meanwhile.
    private func drip(_ bytes: [UInt8], _ everyMs: Int, over socket: RawSocket) -> String? {
        for byte in bytes {
            // The wait for an answer is also the pause between bytes. If the server has answered or
            // closed the connection, the remaining bytes are not sent.
            guard socket.send([byte], withinMs: timeoutMs) else { return nil }
            if let head = socket.readHead(withinMs: everyMs) { return head }
            if socket.isClosedByPeer { return nil }
        }
        return nil
    }

    private func flood(_ frame: [UInt8], _ count: Int, over socket: RawSocket) {
        // Many frames are sent in one system call. One call for each frame would be too slow for a
        // flood.
        let atOnce = max(1, 32_768 / max(1, frame.count))
        var left = count
        while left > 0 {
            let bytes = Array(repeatElement(frame, count: min(left, atOnce)).joined())
            guard socket.send(bytes, withinMs: timeoutMs) else { return }
            left -= atOnce
        }
    }

    private func head(
        _ method: String, _ path: String, _ version: String, _ changes: [String: String?]
    ) -> String {
        var headers: [(name: String, value: String?)] = [
            ("Host", host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"),
            ("Upgrade", "websocket"), ("Connection", "Upgrade"),
            // The key of RFC 6455, 1.3.
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            headers.removeAll { $0.name == name }
            headers.append((name, value))
        }
        let lines = headers.compactMap { header in header.value.map { "\(header.name): \($0)\r\n" }
        }
        return "\(method) \(path) \(version)\r\n" + lines.joined() + "\r\n"
    }

    private static func status(of head: String) -> Int {
        let words = head.prefix { $0 != "\r\n" && $0 != "\r" }.split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    private static func readFrame(
        from socket: RawSocket, withinMs: Int
    ) -> (opcode: UInt8, payload: [UInt8])? {
        guard let start = socket.read(2, withinMs: withinMs) else { return nil }
        var length = Int(start[1] & 0x7f)
        if length >= 126 {
            guard let bytes = socket.read(length == 126 ? 2 : 8, withinMs: withinMs) else {
                return nil
            }
            // A length beyond the range of `Int` is clamped. A frame of such a length would never
            // arrive completely.
            length = Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        guard length < 16_777_216, let payload = socket.read(length, withinMs: withinMs) else {
            return nil
        }
        return (start[0] & 0x0f, payload)
    }
}

extension HandshakeProbe.Frame {
    /// The bytes of the frame as they are sent.
    var bytes: [UInt8] {
        let length = announcedLength ?? UInt64(payload.count)
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        if length < 126 {
            bytes.append(mask | UInt8(length))
        } else if length < 65_536 {
            bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 0xff)]
        } else {
            bytes.append(mask | 127)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: length >> shift))
            }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }
}
