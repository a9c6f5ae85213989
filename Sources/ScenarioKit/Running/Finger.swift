internal import RefreshProtocol

/// The position of the finger on a view. After the release, it is the position of the list.
struct Finger {
    enum Kind { case scroll, pan }

    var kind = Kind.scroll
    /// The offset, or the translation of a pan.
    var position = 0.0
    var isDown = false
}

/// One sample of a finger or a list. The time and the `seq` of a sample are set when the sample is
/// sent.
struct FingerSample {
    var view: String
    var kind: Finger.Kind
    var position: Double
    var phase: ScrollPhase
    var extra: Pattern.Field?

    /// Returns the message. `clockMs` is the time by the client's clock.
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
