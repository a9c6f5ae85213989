/// An optional feature of a client. Source: docs/conformance.md, "The driver".
package enum ClientAbility: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    case scroll
    case overscroll
    case pan
    case stream
    case local
    case resume
    case snapshots
    case backend
    case views
    case reversed
    case requests
    case features
    case queries
    case anchors
    case patches
    case live
    case edits
    case sections
    case rows

    package var description: String {
        switch self {
        case .scroll: "lists that the client scrolls by itself"
        case .overscroll: "lists that the client pulls beyond their ends by itself"
        case .pan: "lists that the server moves"
        case .stream: "the frames `stream`"
        case .local: "the frames `local`"
        case .resume: "resuming a session"
        case .snapshots: "sealed snapshots"
        case .backend: "loads of its own backend"
        case .views: "more than one view"
        case .reversed: "reversed views"
        case .requests: "a host that makes requests"
        case .features: "features of the protocol"
        case .queries: "queries of a feed"
        case .anchors: "lists that lay out their own items and report an anchor"
        case .patches: "patches of lists"
        case .live: "live items"
        case .edits: "edits of lists"
        case .sections: "sections of lists"
        case .rows: "lists with access to any row"
        }
    }
}
