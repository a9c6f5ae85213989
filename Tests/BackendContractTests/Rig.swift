import RefreshBroker
import RefreshProtocol

/// A backend and its source with a certain behaviour.
struct Rig: Sendable {
    let backend: any Backend
    /// The paging style. Page numbers start at 1, and offsets at 0.
    var paging = PagingStyle.page
    /// The JSON texts of the items of `list`, in order; empty if they are not known in advance.
    var items: [String] = []
    /// Whether each page states the total number of items.
    var reportsTotal = false
    /// The answer of `verbatim` and `duplicates`, from `[` to `]`.
    var answer = ""
    /// The lifetime in the answer of `lifetime`, in milliseconds.
    var lifetimeMs: Int?
    /// The parts that the item of `echo` contains, by their names in `EchoedRequest`.
    var echoed: Set<String> = []
    /// The parts that `echo` returns in another form than the request, such as a boolean as a
    /// number.
    var echoedOtherwise: [String: String] = [:]
    /// A cursor that the source accepts.
    var cursor = "c u/r&s=%41'"
    /// The code with which a load must fail because of a fault.
    var code: FaultCode?
    /// Heals the source after a fault or a hang. It then answers with one item.
    var heal: @Sendable () async throws -> Void = {}
    /// The request that causes the failure; nil if a plain refresh causes it.
    var fatal: LoadRequest?
    /// The objects that must live as long as the backend.
    var holding: [any Sendable] = []

    init(_ backend: any Backend) { self.backend = backend }

    /// A refresh as a session would request it.
    var refresh: LoadRequest {
        LoadRequest(
            feed: "feed", kind: .refresh, page: paging == .page ? 1 : 0, offset: 0, size: 20)
    }

    /// Returns the request for the page that follows `page`.
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
