/// What a message has besides its subject and its bytes.
package struct BusEnvelope: Hashable, Sendable {
    /// A header of NATS. The name is a token of RFC 9110. The value consists of printable ASCII
    /// characters and spaces.
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        fileprivate var isValid: Bool {
            !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
                && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }

    /// The subject to which the receiver may answer; nil if no answer is expected. If no connection
    /// receives the message, and the server supports headers, the server itself answers with a
    /// message without bytes.
    package var replySubject: String?
    /// The headers, in the order in which they are sent. The names must differ.
    package var headers: [Header]

    package init(replySubject: String? = nil, headers: [Header] = []) {
        self.replySubject = replySubject
        self.headers = headers
    }

    /// The bytes of the headers in a message of NATS (protocol of clients, `HPUB`): a version line,
    /// a line for each header, and an empty line, which all end with CR and LF.
    var headerBytes: Int {
        if headers.isEmpty { return 0 }
        let lines = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return "NATS/1.0".utf8.count + 2 + lines + 2
    }

    var isEmpty: Bool { replySubject == nil && headers.isEmpty }

    /// Whether libnats may write the envelope. It does not check all of it.
    var isValid: Bool {
        replySubject.map(BusSubject.isPublishable) != false && headers.allSatisfy(\.isValid)
    }
}
