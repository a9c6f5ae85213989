internal import RefreshProtocol

/// A request and its hash. The hash is computed only once, although several dictionaries use it.
/// The trigger of the load (the control that requested it) is not part of the request key.
struct RequestKey: Hashable, Sendable {
    let request: LoadRequest
    private let hash: Int

    init(_ request: LoadRequest) {
        var request = request
        request.trigger = .manual
        self.request = request
        self.hash = request.hashValue
    }

    static func == (a: RequestKey, b: RequestKey) -> Bool {
        a.hash == b.hash && a.request == b.request
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
