/// A message of a client. Source: docs/protocol.md, "Messages of the client".
package enum ClientMessage: Hashable, Sendable {
    indirect case hello(Hello)
    indirect case attach(MessageHeader, Attach)
    case detach(MessageHeader)
    indirect case geometry(MessageHeader, GeometryChange)
    case scroll(MessageHeader, ScrollSample)
    case pan(MessageHeader, PanSample)
    case refresh(MessageHeader, cause: Cause, animated: Bool)
    case begin(MessageHeader, animated: Bool)
    case end(MessageHeader, animated: Bool)
    case loadMore(MessageHeader, cause: Cause)
    case retry(MessageHeader, edge: Edge?)
    case cancel(MessageHeader, edge: Edge?)
    case reset(MessageHeader, edge: Edge?)
    case floor(MessageHeader, isOpen: Bool)
    case appear(MessageHeader)
    case disappear(MessageHeader)
    indirect case reveal(MessageHeader, RevealTarget, animated: Bool)
    /// The user has read the list up to the item with this name.
    indirect case read(MessageHeader, id: String)
    /// The user of the client changes the list.
    indirect case edit(MessageHeader, ItemEdit)
    /// The edit with this name should not be performed.
    indirect case undo(MessageHeader, edit: String)
    case loadBegan(MessageHeader, load: LoadID, accepted: Bool)
    case loadProgress(MessageHeader, load: LoadID, progress: Double)
    indirect case loadFinished(MessageHeader, LoadReport)
    case enable(MessageHeader, edge: Edge, enabled: Bool)
    /// `query` has the fields of the feature `query`.
    indirect case configure(
        MessageHeader, EdgeSettings, PagingOverrides?, pan: [OptionSetting] = [],
        query: QueryChange? = nil)
    /// A `scroll` or `geometry` message, with the rows in sight.
    indirect case withRows(ClientMessage, VisibleRows)
    case ping(time: Double)
    /// A request for a sealed snapshot.
    case snapshot
    case bye

    /// The header of a message about a view; nil for other messages.
    package var header: MessageHeader? {
        switch self {
        case .hello, .ping, .snapshot, .bye: nil
        case .withRows(let message, _): message.header
        case .attach(let header, _), .detach(let header), .geometry(let header, _),
            .scroll(let header, _), .pan(let header, _), .refresh(let header, _, _),
            .begin(let header, _), .end(let header, _), .loadMore(let header, _),
            .retry(let header, _), .cancel(let header, _), .reset(let header, _),
            .floor(let header, _), .appear(let header), .disappear(let header),
            .reveal(let header, _, _), .read(let header, _),
            .edit(let header, _), .undo(let header, _),
            .loadBegan(let header, _, _), .loadProgress(let header, _, _),
            .loadFinished(let header, _),
            .enable(let header, _, _), .configure(let header, _, _, _, _):
            header
        }
    }
}

/// The members of every message about a view.
package struct MessageHeader: Hashable, Sendable {
    package var view: ViewID
    package var seq: UInt64
    package var generation: UInt32?

    package init(view: ViewID, seq: UInt64, generation: UInt32? = nil) {
        self.view = view
        self.seq = seq
        self.generation = generation
    }
}

/// The type of a client message. Source: docs/protocol.md, "Messages of the client".
package enum MessageType: String, CaseIterable, WireNamed, Sendable {
    case hello, attach, detach, geometry, scroll, pan, refresh, begin, end, loadMore, retry, cancel
    case reset, floor, appear, disappear, reveal, read, edit, undo
    case loadBegan, loadProgress, loadFinished, enable, configure, ping, snapshot, bye

    /// Whether only clients with features know the type. For other clients it is an unknown type.
    /// Source: docs/protocol.md, "Features".
    package var needsFeatures: Bool {
        switch self {
        case .disappear, .reveal, .read, .edit, .undo: true
        default: false
        }
    }

    /// The feature to which the type belongs; nil if it belongs to none.
    package var feature: Feature? {
        switch self {
        case .reveal, .read: .unread
        case .edit, .undo: .edits
        default: nil
        }
    }
}
