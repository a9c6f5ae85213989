package import RefreshProtocol

/// The broker's policy for the loads of a feed. Source: docs/backends.md, "What the broker does".
package struct FeedPolicy: Hashable, Sendable {
    /// The cache policy. Source: docs/backends.md, "Cache".
    package struct Cache: Hashable, Sendable {
        /// The lifetime in milliseconds of an answer that does not declare one.
        package var lifetimeMs: Int
        /// The time in milliseconds after the lifetime in which a stale answer may be returned
        /// while a new one is loaded.
        package var staleMs: Int
        /// The time in milliseconds for which a failure is cached, and returned to equal requests.
        package var failureMs: Int

        package init(lifetimeMs: Int, staleMs: Int = 0, failureMs: Int = 0) {
            self.lifetimeMs = lifetimeMs
            self.staleMs = staleMs
            self.failureMs = failureMs
        }
    }

    /// When the sessions begin their refreshes after a change of the feed. Source:
    /// docs/backends.md, "Changes".
    package struct Changes: Hashable, Sendable {
        /// The time in milliseconds over which the refreshes are spread; 0: they begin immediately.
        package var spreadMs = 0
        /// The maximum number of sessions that begin their refresh in the same second; 0: any
        /// number.
        package var perSecondMax = 0

        /// Whether a refresh may have to wait after a change.
        package var delaysRefreshes: Bool { spreadMs > 0 || perSecondMax > 0 }

        package init() {}
    }

    /// The numbering of a feed's pages. Source: docs/protocol.md, "Paging".
    package struct Numbering: Hashable, Sendable {
        package var style: PagingStyle
        /// The number of the first page, or the first offset.
        package var first: Int

        package init(style: PagingStyle, first: Int) {
            self.style = style
            self.first = first
        }

        /// Whether the request is for the first page of the feed.
        func isFirstPage(_ request: LoadRequest) -> Bool {
            switch style {
            case .page: request.page == first
            case .offset: request.offset == first
            case .cursor: request.cursor == nil
            case .none: true
            }
        }
    }

    /// Whether all clients share the same answers.
    package var isShared = false
    /// Whether headers of the client are forwarded, so that the answers can differ by them.
    package var forwardsHeaders = false
    /// The cache policy; nil disables the cache.
    package var cache: Cache?
    /// The time in milliseconds after an answered refresh in which an equal refresh gets the same
    /// answer.
    package var coolDownMs = 0
    /// The place of the key in each item; nil if the feed declares none.
    package var itemKey: JSONPointer?
    package var changes = Changes()
    /// The operations that clients may send as edits.
    package var edits: Set<ItemOperation.Kind> = []
    /// Whether the nodes of a cluster share the loads and the changes of the feed.
    package var isClustered = true
    /// Nil if it is not known.
    package var numbering: Numbering?

    /// Whether an answer can be stored for a later, equal request.
    package var keepsPages: Bool { cache != nil || coolDownMs > 0 }

    package init() {}

    /// Whether the feed accepts the operation as an edit.
    func accepts(_ operation: ItemOperation) -> Bool {
        operation.isAccepted(asOneOf: edits, itemKey: itemKey)
    }

    /// Whether the answer to the request begins a list. This is the case for every refresh. A load
    /// of more items also begins a list if the list has no page yet.
    func beginsList(_ request: LoadRequest) -> Bool {
        request.kind == .refresh || numbering?.isFirstPage(request) == true
    }
}

/// A parameter that a feed declares. Source: docs/configuration.md, "parameters".
package struct FeedParameter: Hashable, Sendable, ExpressibleByStringLiteral {
    package var name: String
    package var type: ParameterType

    package init(_ name: String, _ type: ParameterType = .text) {
        self.name = name
        self.type = type
    }

    /// Creates a parameter of type text.
    package init(stringLiteral name: String) { self.init(name) }
}
