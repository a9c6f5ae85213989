import RefreshProtocol

/// The limits on the input of a client, and its last handled sequence number.
struct InboundGuard {
    /// The rate limit of messages and bytes.
    var rateLimit: InboundRateLimit
    var faultBudget: FaultBudget
    /// When the client last sent something.
    var lastReceivedAt: Instant
    /// The last sequence number that was handled.
    var ack: UInt64 = 0
    /// Whether the client asked for `diagnostic` messages.
    var wantsDiagnostics = false
    /// The features in the client's `hello`; nil if `hello` had none.
    var features: ClientFeatures?
    var diagnosticBudget: DiagnosticBudget
    /// The movements that are checked for mistakes, by view; nil without diagnostics.
    var movements: [MovementCheck]?

    init(_ limits: Limits, at now: Instant) {
        rateLimit = InboundRateLimit(limits, now: now)
        faultBudget = FaultBudget(most: limits.faultBudgetMax, now: now)
        lastReceivedAt = now
        diagnosticBudget = DiagnosticBudget(now: now)
    }

    /// Counts a frame of the client. Returns the fault if the frame exceeds a limit, and nil if it
    /// does not.
    @inline(__always)
    mutating func count(bytes: Int, at now: Instant) -> FaultCode? {
        if rateLimit.consume(bytes: bytes) { return nil }
        return rateLimit.refill(at: now)
    }

    /// Applies the sequence number of a message. Returns false if the number is not new.
    @inline(__always)
    mutating func advance(to seq: UInt64) -> Bool {
        guard seq > ack else { return false }
        ack = seq
        return true
    }
}

/// The members that are written to a journal's checkpoint. `ack` is not among them, because
/// `SavedSession` contains it.
extension InboundGuard: Codable {
    private enum CodingKeys: String, CodingKey {
        case wantsDiagnostics, features, diagnosticBudget, movements
        case rateLimit = "allowance"
        case faultBudget = "budget"
        case lastReceivedAt = "heardAt"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        rateLimit = try members.decode(InboundRateLimit.self, forKey: .rateLimit)
        faultBudget = try members.decode(FaultBudget.self, forKey: .faultBudget)
        lastReceivedAt = try members.decode(Instant.self, forKey: .lastReceivedAt)
        wantsDiagnostics =
            try members.decodeIfPresent(Bool.self, forKey: .wantsDiagnostics) ?? false
        features = try members.decodeIfPresent(ClientFeatures.self, forKey: .features)
        // If the journal contains no budget, the budget is full.
        diagnosticBudget =
            try members.decodeIfPresent(DiagnosticBudget.self, forKey: .diagnosticBudget)
            ?? DiagnosticBudget(now: lastReceivedAt)
        movements = try members.decodeIfPresent([MovementCheck].self, forKey: .movements)
    }
}
