internal import RefreshProtocol

/// The live nodes of a cluster, and the assignment of each request to one of them: its owner. The
/// owner performs the request for all nodes.
///
/// The assignment is a rendezvous hash: the owner is the node with the highest weight for the
/// request. If a node leaves, only its requests move. If a node joins, only the requests that it
/// gets move. Nodes that know the same live nodes and workers compute the same owner. The weights
/// are part of the bus protocol, so they are the same in every version.
package struct RequestOwners: Hashable, Sendable {
    package let own: NodeID
    /// The live nodes in ascending order, with this node.
    package let live: [NodeID]
    /// For each feed with workers: the live nodes to which they are connected, in ascending order.
    package let workers: [String: [NodeID]]

    /// `live` contains `own`. `workers` contains for each feed the nodes with workers of this feed.
    /// Nodes that are not live, and duplicates, are ignored.
    package init(own: NodeID, live: [NodeID], workers: [String: [NodeID]] = [:]) {
        let nodes = Set(live).union([own])
        self.own = own
        self.live = nodes.sorted()
        self.workers = workers.compactMapValues { named in
            let connected = nodes.intersection(named)
            return connected.isEmpty ? nil : connected.sorted()
        }
    }

    /// The owner of a request. If workers of its feed are connected to live nodes, the owner is one
    /// of these nodes. Otherwise, it is any live node.
    package func owner(of request: LoadRequest) -> NodeID {
        let hash = Self.hash(of: request)
        var best = own
        var bestWeight: UInt64?
        for node in workers[request.feed] ?? live {
            let weight = Self.weight(of: node, for: hash)
            guard bestWeight.map({ weight > $0 }) ?? true else { continue }
            best = node
            bestWeight = weight
        }
        return best
    }

    /// The weight of a node for a request with this hash. Different nodes have different weights,
    /// because both steps are bijections.
    static func weight(of node: NodeID, for hash: UInt64) -> UInt64 {
        (hash ^ node.bits.mixed).mixed
    }

    /// The hash of the list to which a request belongs. All pages of a list have one owner, because
    /// a new first page makes the owner remove the cached pages that followed the older one. It is
    /// SipHash-2-4 with a fixed key. Its input has these parts, in this order:
    ///
    /// - `feed`
    /// - the number of parameters, and the name, the type and the text of each parameter
    /// - the number of headers, and the name and the value of each header
    /// - `subject`
    ///
    /// A number is 8 bytes, the lowest first. A text is its number of UTF-8 bytes, followed by
    /// these bytes. An optional text is the byte 0, or the byte 1 followed by the text.
    ///
    /// The key is not secret. A client that constructs requests for one owner gains nothing: each
    /// node limits its own calls.
    static func hash(of request: LoadRequest) -> UInt64 {
        var input = HashInput()
        input.append(request.feed)
        input.append(request.parameters.count)
        for parameter in request.parameters {
            input.append(parameter.name)
            input.append(parameter.value.type.rawValue)
            input.append(parameter.value.text)
        }
        input.append(request.headers.count)
        for header in request.headers {
            input.append(header.name)
            input.append(header.value)
        }
        input.append(optional: request.subject)
        return hash(of: input.bytes)
    }

    /// The hash of bytes with the fixed key of the bus protocol.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        hashFunction.hash(bytes.span, in: bytes.indices)
    }

    /// The key consists of the bytes of "refreshd.cluster".
    private static let hashFunction = SipHash(key: 0x6468_7365_7266_6572, 0x7265_7473_756C_632E)

    private struct HashInput {
        var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(256) }

        mutating func append(_ number: Int) {
            let bits = UInt64(bitPattern: Int64(number))
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
            }
        }

        mutating func append(_ text: String) {
            append(text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        }

        mutating func append(optional text: String?) {
            bytes.append(text == nil ? 0 : 1)
            if let text { append(text) }
        }
    }
}
