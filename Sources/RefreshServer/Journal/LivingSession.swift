internal import RefreshProtocol

/// A session in the middle of its life: all that decides what it says from now on, and nothing that
/// somebody could take it over with. A journal that is begun then begins with it. Source:
/// docs/journal.md, "Journals on request".
package struct LivingSession: Hashable, Sendable, Codable {
    /// How far the session has come; of others no journal is begun.
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
    /// Whether an older token than the one that was told last is good still.
    var hasLastToken: Bool
    /// Until when; nil: as long after the last `welcome` as at first.
    var lastTokenEnds: Instant?
    /// Nil in a journal from before this member; the next one likewise.
    var lastTokenWelcomes: UInt64?
    var lineage: Lineage?
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
    var allowance: Allowance
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
