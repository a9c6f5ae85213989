import RefreshIndicator
import RefreshProtocol

/// The appearance of an indicator at one moment, and the label of that moment.
struct PlottedFrame: Hashable {
    /// Ten numbers for each layer. `LayerProperty` defines their meaning.
    var values: [Double]
    /// The texts by layer. Nil for layers without text.
    var texts: [String?]
    /// The label of the frame: the progress of its pull, its time, or the name of its state.
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

    /// Returns whether both frames have the same appearance.
    func hasSameAppearance(as other: PlottedFrame) -> Bool {
        values == other.values && texts == other.texts
    }
}

/// A row of frames under a heading.
struct PlottedRow {
    var title: String
    var note: String
    var frames: [PlottedFrame]
}
