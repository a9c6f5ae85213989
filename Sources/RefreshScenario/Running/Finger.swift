internal import RefreshProtocol

/// Where the finger of a view is; after the release, where the list is.
struct Finger {
    enum Kind { case scroll, pan }

    var kind = Kind.scroll
    /// The offset, or the translation of a pan.
    var position = 0.0
    var isDown = false
}

/// One sample of a finger or a list, but for the moment and the number, which it gets when it is
/// sent.
struct FingerSample {
    var view: String
    var kind: Finger.Kind
    var position: Double
    var phase: ScrollPhase
    var extra: Pattern.Field?

    /// `clockMs`: the client's clock.
    func message(clockMs: Double) -> Pattern {
        let isPan = kind == .pan
        var fields = [
            Pattern.Field("type", .text(isPan ? "pan" : "scroll")),
            Pattern.Field("view", .text(view)),
            Pattern.Field("t", .value(.number((clockMs * 1000).rounded() / 1000))),
            Pattern.Field(isPan ? "translation" : "offset", .value(.number(position))),
            Pattern.Field("phase", .text(phase.rawValue)),
        ]
        if let extra { fields.append(extra) }
        return .object(fields)
    }
}
