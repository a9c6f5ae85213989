package import RefreshProtocol

/// An indicator as data: its layers and their movements. Source: docs/indicators.md.
package struct Programme: Hashable, Sendable {
    /// The position of the programme's origin.
    package enum Place: String, CaseIterable, Sendable {
        /// In the middle of the gap between the list's edge and its content.
        case gap
        /// Away from the list's edge, or away from the list's content, by half of the programme's
        /// `size` along the axis.
        case edge, content
    }

    /// The part that plays during the refresh.
    package struct Run: Hashable, Sendable {
        /// The duration in milliseconds. At the end, playback continues from `loopFrom`.
        package var duration: Double
        package var loopFrom: Double
        /// The number of milliseconds between two moments at which the run may end.
        package var step: Double
        package var tracks: [Track]

        package init(
            duration: Double, loopFrom: Double = 0, step: Double? = nil, tracks: [Track]
        ) {
            self.duration = duration
            self.loopFrom = loopFrom
            self.step = step ?? duration
            self.tracks = tracks
        }
    }

    /// The moment at which the run ends after its refresh has ended.
    package enum Ending: String, CaseIterable, Sendable {
        case atOnce, atStep, atCycle, atRelease
    }

    /// A part that plays once.
    package struct Clip: Hashable, Sendable {
        /// The duration in milliseconds.
        package var duration: Double
        package var tracks: [Track]

        package init(duration: Double, tracks: [Track]) {
            self.duration = duration
            self.tracks = tracks
        }
    }

    package struct Finish: Hashable, Sendable {
        package var ending: Ending
        package var success: Clip?
        package var failure: Clip?

        package init(ending: Ending = .atOnce, success: Clip? = nil, failure: Clip? = nil) {
            self.ending = ending
            self.success = success
            self.failure = failure
        }
    }

    /// The size in points.
    package var size = Size(width: 60, height: 60)
    package var place = Place.gap
    /// The number of frames per second of automatic movement, 1...30.
    package var rate = FrameSettings.rates.upperBound
    package var layers: [Layer]
    package var pull: [Track] = []
    package var run: Run?
    package var finish: Finish?
    package var states: [EdgeState: StateLook] = [:]
    /// Texts by name and language.
    package var strings: [String: [String: String]] = [:]
    /// The options of an edge that fit the programme.
    package var edge: [OptionSetting] = []

    package init(layers: [Layer]) {
        self.layers = layers
    }
}

/// An indicator that an edge of a view can have, and its name. Source: docs/indicators.md.
package struct NamedProgramme: Hashable, Sendable {
    package var name: String
    package var programme: Programme

    package init(_ name: String, _ programme: Programme) {
        self.name = name
        self.programme = programme
    }
}
