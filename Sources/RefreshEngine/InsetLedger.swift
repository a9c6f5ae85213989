import RefreshProtocol

/// What the daemon has added to the view's insets, in named amounts: exactly what was added is taken
/// away again, whatever the host or an option did in between (B-IQ-8, B-IQ-9, O-IQ-7).
///
/// What is `wanted` is told only while no finger is down; `told` is what the client knows.
package struct InsetLedger: Hashable, Sendable {
    /// The refresh indicator's room at the top, points.
    package private(set) var wantedTop = 0.0
    /// The load-more indicator's room at the bottom, points.
    package private(set) var wantedBottom = 0.0
    package private(set) var toldTop = 0.0
    package private(set) var toldBottom = 0.0

    package init() {}

    package var isSettled: Bool { wantedTop == toldTop && wantedBottom == toldBottom }

    mutating func add(_ amount: Double, at edge: Edge) {
        switch edge {
        case .top: wantedTop = amount
        case .bottom: wantedBottom = amount
        }
    }

    mutating func remove(at edge: Edge) {
        add(0, at: edge)
    }

    /// What was told did not reach the client, which has these.
    mutating func withdraw(clientHasTop top: Double, bottom: Double) {
        toldTop = top
        toldBottom = bottom
    }

    /// The command that tells what was not told yet; nil if there is nothing.
    mutating func tell(start: Instant, duration: Double) -> InsetCommand? {
        guard !isSettled else { return nil }
        let command = InsetCommand(
            top: wantedTop == toldTop ? nil : wantedTop,
            bottom: wantedBottom == toldBottom ? nil : wantedBottom,
            timeline: Timeline(start: start, duration: duration, curve: .easeInOut))
        toldTop = wantedTop
        toldBottom = wantedBottom
        return command
    }
}
