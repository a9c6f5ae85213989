import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The owner of a request is a rendezvous hash over the live nodes. Source: docs/cluster.md.
@Suite("The owner of a request")
struct RequestOwnersTests {
    private let nodes = (1...3).map { NodeID(bits: $0) }

    /// Requests as many clients make them.
    private func requests(_ count: Int) -> [LoadRequest] {
        (0..<count).map { number in
            LoadRequest(
                feed: "feed-\(number % 7)", kind: number % 3 == 0 ? .more : .refresh,
                page: number % 11, offset: 0, size: 20,
                parameters: [LoadParameter(name: "q", value: .integer(Int64(number)))],
                subject: number % 2 == 0 ? "subject-\(number)" : nil)
        }
    }

    /// Another implementation of the definition at `RequestOwners.hash(of:)` computed these values.
    /// They must never change, because nodes of different versions must agree.
    @Test("The hash and the weights have the same values in every process and version")
    func golden() {
        let plain = LoadRequest(feed: "news", kind: .refresh, page: 1, offset: 0, size: 20)
        let full = LoadRequest(
            feed: "news", kind: .more, trigger: .reachAtEnd, page: -2, offset: 40, size: 20,
            cursor: "cé",
            parameters: [
                LoadParameter(name: "q", value: .text("x")),
                LoadParameter(name: "limit", value: .integer(7)),
            ], headers: [HeaderField(name: "accept-language", value: "de")], subject: "anna")
        let empty = LoadRequest(
            feed: "mail", kind: .refresh, page: 1, offset: 0, size: 20, subject: "")
        #expect(RequestOwners.hash(of: plain) == 0x4173_0366_E2FD_FD79)
        #expect(RequestOwners.hash(of: full) == 0xDF76_25ED_9103_AD26)
        #expect(RequestOwners.hash(of: empty) == 0x1038_EF37_CC21_7159)
        let hash = RequestOwners.hash(of: plain)
        #expect(
            nodes.map { RequestOwners.weight(of: $0, for: hash) }
                == [0x2AC0_E677_D43A_582F, 0xA1F1_FC11_C20F_08F5, 0x2175_CD39_AF9F_BFB9])
        let owners = RequestOwners(own: nodes[0], live: nodes)
        #expect([plain, full, empty].map { owners.owner(of: $0).bits } == [2, 3, 3])
    }

    @Test("All nodes agree on the owner, in whatever order they know the nodes")
    func agreement() {
        let views = [
            RequestOwners(own: nodes[0], live: nodes),
            RequestOwners(own: nodes[1], live: nodes.reversed()),
            RequestOwners(own: nodes[2], live: [nodes[1], nodes[0], nodes[0]]),
        ]
        for request in requests(300) {
            #expect(Set(views.map { $0.owner(of: request) }).count == 1)
        }
    }

    @Test("All pages of a list have one owner, whatever control requests them")
    func pages() {
        let owners = RequestOwners(own: nodes[0], live: nodes)
        for request in requests(50) {
            var other = request
            other.kind = .more
            other.trigger = .refreshControl
            other.page += 1
            other.offset += 20
            other.size += 1
            other.cursor = "next"
            #expect(owners.owner(of: request) == owners.owner(of: other))
        }
    }

    @Test("Each member of a request that belongs to its list affects its hash")
    func members() {
        let base = LoadRequest(
            feed: "a", kind: .refresh, page: 1, offset: 2, size: 3, cursor: "c",
            parameters: [LoadParameter(name: "p", value: .text("1"))],
            headers: [HeaderField(name: "h", value: "v")], subject: "s")
        let changes: [(inout LoadRequest) -> Void] = [
            { $0.feed = "b" }, { $0.subject = nil }, { $0.subject = "" }, { $0.parameters = [] },
            { $0.headers = [] }, { $0.parameters[0].name = "q" },
            { $0.parameters[0].value = .integer(1) }, { $0.headers[0].name = "i" },
            { $0.headers[0].value = "" },
        ]
        let hashes = changes.map { change in
            var request = base
            change(&request)
            return RequestOwners.hash(of: request)
        }
        #expect(Set(hashes + [RequestOwners.hash(of: base)]).count == changes.count + 1)
    }

    @Test("Three nodes own a third of 30,000 requests each, within 5 %")
    func distribution() {
        let owners = RequestOwners(own: nodes[0], live: nodes)
        var counts: [NodeID: Int] = [:]
        for request in requests(30_000) { counts[owners.owner(of: request), default: 0] += 1 }
        for node in nodes { #expect((9500...10_500).contains(counts[node] ?? 0)) }
    }

    @Test("If a node is lost, only its requests move; if a node joins, it gets all that move")
    func movement() {
        let before = RequestOwners(own: nodes[0], live: nodes)
        let after = RequestOwners(own: nodes[0], live: [nodes[0], nodes[2]])
        var moved = 0
        for request in requests(3000) {
            let old = before.owner(of: request)
            let new = after.owner(of: request)
            if old == nodes[1] {
                moved += 1
                #expect(new != nodes[1])
            } else {
                #expect(new == old)
            }
        }
        #expect((900...1100).contains(moved))
    }

    @Test("A feed with workers is owned by nodes to which its workers are connected")
    func workers() {
        let stranger = NodeID(bits: 9)
        let owners = RequestOwners(
            own: nodes[0], live: nodes,
            workers: ["feed-1": [nodes[2], nodes[1], nodes[2]], "feed-2": [stranger]])
        #expect(owners.workers == ["feed-1": [nodes[1], nodes[2]]])
        for request in requests(700) {
            let owner = owners.owner(of: request)
            switch request.feed {
            case "feed-1": #expect(owner != nodes[0])
            default: #expect(owner == RequestOwners(own: nodes[0], live: nodes).owner(of: request))
            }
        }
        let alone = RequestOwners(own: nodes[0], live: [], workers: ["feed-1": [nodes[1]]])
        #expect(alone.live == [nodes[0]])
        #expect(requests(50).allSatisfy { alone.owner(of: $0) == nodes[0] })
    }

    @Test("A node identity is 16 hexadecimal digits in lower case")
    func identities() {
        let node = NodeID(bits: 0x0123_4567_89AB_CDEF)
        #expect(node.text == "0123456789abcdef")
        #expect(NodeID(text: node.text) == node)
        #expect(NodeID(text: NodeID(bits: 0).text) == NodeID(bits: 0))
        #expect(NodeID(text: NodeID(bits: .max).text) == NodeID(bits: .max))
        for text in [
            "", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", "0x23456789abcdef",
        ] {
            #expect(NodeID(text: text) == nil)
        }
        #expect(NodeID(bits: 1) < NodeID(bits: 2))
    }
}
