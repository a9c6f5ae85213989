import RefreshBroker
import RefreshProtocol

/// A backend with something behind it that behaves as a clause wants.
struct Rig: Sendable {
    let backend: any Backend
    /// How it counts pages; pages begin at 1, offsets at 0.
    var paging = PagingStyle.page
    /// The JSON texts of the items that `list` has, in order; empty: known to nobody beforehand.
    var items: [String] = []
    /// Whether its pages tell the total.
    var tellsTotal = false
    /// What `verbatim` and `duplicates` answer, from `[` to `]`.
    var answer = ""
    /// What `lifetime` says.
    var lifetimeMs: Int?
    /// What the item of `echo` has, by the names in `EchoedRequest`.
    var echoed: Set<String> = []
    /// Where `echo` says something otherwise than the request, as a boolean by a number.
    var echoedOtherwise: [String: String] = [:]
    /// A cursor that the thing behind understands.
    var cursor = "c u/r&s=%41'"
    /// What a load must fail with that meets a fault.
    var code: FaultCode?
    /// Makes the thing well again, after a fault or a hang: from then on it answers with one item.
    var heal: @Sendable () async throws -> Void = {}
    /// What to ask for instead of a plain refresh, to meet the failure.
    var fatal: LoadRequest?
    /// What must live as long as the backend.
    var holding: [any Sendable] = []

    init(_ backend: any Backend) { self.backend = backend }

    /// A refresh as a session would ask for it.
    var refresh: LoadRequest {
        LoadRequest(
            feed: "feed", kind: .refresh, page: paging == .page ? 1 : 0, offset: 0, size: 20)
    }

    /// What comes after a page.
    func next(after request: LoadRequest, _ page: Page) -> LoadRequest {
        var next = request
        next.kind = .more
        next.trigger = .reachAtEnd
        next.page += 1
        next.offset += page.count
        next.cursor = page.cursor
        return next
    }
}
