import RefreshProtocol

/// What an edge was decided to show last, and which indicator its client was told of.
struct ShownEdge {
    var state: EdgeState
    var progress = 0.0
    /// As sent.
    var indicator = IndicatorFrame.hidden
}
