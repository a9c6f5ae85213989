import RefreshProtocol

/// The daemon's inset shares of a view, as named amounts. An amount is removed as it was added,
/// even if the insets of the host or an option have changed meanwhile (B-IQ-8, B-IQ-9, O-IQ-7).
///
/// The desired amounts are sent only while no finger is down. `sentStart` and `sentEnd` are the
/// amounts that the client has.
package struct InsetLedger: Hashable, Sendable, Codable {
    /// The refresh indicator's room, in points.
    package var refresh = 0.0
    /// The room of the secondary page (`floor`), at the same edge, in points.
    package var floor = 0.0
    /// The load-more indicator's room, in points.
    package var loadMore = 0.0
    /// The share at the start that was last sent, in points.
    package private(set) var sentStart = 0.0
    /// The share at the end that was last sent, in points.
    package private(set) var sentEnd = 0.0

    // The names in snapshots and journals.
    private enum CodingKeys: String, CodingKey {
        case refresh, floor, loadMore
        case sentStart = "toldRefresh"
        case sentEnd = "toldLoadMore"
    }

    package init() {}

    /// The complete desired share at the start, in points. The secondary page covers the indicator,
    /// so the larger room counts.
    package var desiredStart: Double { max(refresh, floor) }

    /// The complete desired share at the end, in points.
    private var desiredEnd: Double { loadMore }

    package var isFullySent: Bool { desiredStart == sentStart && desiredEnd == sentEnd }

    /// Records that the shares that were issued last did not reach the client. `start` and `end`
    /// are the shares that the client still has.
    mutating func withdraw(clientHasStart start: Double, end: Double) {
        sentStart = start
        sentEnd = end
    }

    /// The command for the shares that were not sent yet; nil if there are none.
    mutating func issueCommand(start: Instant, duration: Double) -> InsetCommand? {
        guard !isFullySent else { return nil }
        let command = InsetCommand(
            refresh: desiredStart == sentStart ? nil : desiredStart,
            loadMore: desiredEnd == sentEnd ? nil : desiredEnd,
            timeline: Timeline(start: start, duration: duration, curve: .easeInOut))
        sentStart = desiredStart
        sentEnd = desiredEnd
        return command
    }
}
