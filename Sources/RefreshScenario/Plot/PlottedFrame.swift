import RefreshIndicator
import RefreshProtocol

/// What an indicator looks like at one moment, and what is written under it.
struct PlottedFrame: Hashable {
    /// Ten numbers for each layer, see `LayerProperty`.
    var values: [Double]
    /// By layer; nil for what is no text.
    var texts: [String?]
    /// The pull, or the time.
    var label: String
    var state: EdgeState

    init(_ player: IndicatorPlayer, label: String) {
        let choreography = player.choreography
        values = player.values
        state = player.shown
        let shown = player.shown
        texts = choreography.programme.layers.indices.map {
            choreography.text(ofLayerAt: $0, in: shown)
        }
        self.label = label
    }

    /// Whether both show the same.
    func looks(like other: PlottedFrame) -> Bool {
        values == other.values && texts == other.texts
    }
}

/// A row of frames under a heading.
struct PlottedRow {
    var title: String
    var note: String
    var frames: [PlottedFrame]
}
