internal import RefreshProtocol

/// The checkpoint of a running session, with which a journal on request begins. It contains
/// everything that determines the session's further output, and nothing that would let another
/// client take the session over. Source: docs/journal.md, "Journals on request".
package struct JournalCheckpoint: Hashable, Sendable, Codable {
    /// The stage of the session. A journal cannot begin at any other stage.
    enum Stage: Hashable, Sendable, Codable {
        case silent(until: Instant)
        case open
        case detached(until: Instant)
    }

    var name: String
    var subject: String?
    var permittedFeeds: PermittedFeeds
    var identityExpires: Instant
    var stage: Stage
    /// Whether the previous resume token is still valid beside the last one that was sent.
    var hasLastToken: Bool
    /// When the previous token expires; nil: `Conversation.welcomeLossMs` after the last `welcome`.
    var lastTokenEnds: Instant?
    /// Nil in a journal from before this member; the next one likewise.
    var lastTokenWelcomes: UInt64?
    var lineage: ResumeHistory?
    var welcomedAt: Instant
    var hasOpened: Bool
    var isLost: Bool
    var wantsSnapshots: Bool
    /// Nil in a journal from before this member; the next one likewise.
    var wantsDiagnostics: Bool?
    var diagnosticBudget: DiagnosticBudget?
    var snapshotAskedAt: Instant?
    var snapshotDue: Instant?
    /// Nil in a journal from before this member.
    var sealBudget: SealBudget?
    var headers: [HeaderField]
    var frames: FrameSettings
    /// Nil in a journal from before this member; the next one likewise.
    var playBudget: PlayBudget?
    var framesHeldUntil: Instant?
    var ack: UInt64
    var allowance: InboundRateLimit
    var heardAt: Instant
    var waitsSince: Instant?
    /// Nil in a journal from before this member.
    var halfSentBytes: Int?
    var isHeldBack: Bool
    var patienceEnds: Instant
    var budget: FaultBudget
    var lastGeneration: UInt32
    var views: [ViewSlot.Memory]
    var queue: [QueuedMessage]
    var loneUpdate: UInt32?
}
