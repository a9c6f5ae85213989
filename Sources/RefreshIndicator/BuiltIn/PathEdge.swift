import RefreshProtocol

/// MRefresh's four numbers of its view: how much room the drawing has, and over which way it is
/// drawn.
struct PathEdge {
    /// Points; nil: the profile's.
    var room: Double?
    var start: Double?
    var length: Double?
    /// Milliseconds.
    var insetDuration: Double?

    static let fields = [
        "heightIncrease", "animationStartDistance", "animationEndDistanceOffset",
        "contentInsetChangeAnimationDuration",
    ]

    init() {}

    /// The room is the frame's height and its increase, the way ends so much beyond it; one of
    /// these two that is left out is 0 if the other one is there.
    init(_ options: PlacedValue, frame: Size) throws(ProgrammeError) {
        let most = ProgrammeLimits.lengthMax
        let increase = try options.member("heightIncrease")?.number(in: 0...most)
        let offset = try options.member("animationEndDistanceOffset")?.number(in: -most...most)
        let start = try options.member("animationStartDistance")
        self.start = try start?.number(in: 0...most)
        if increase != nil || offset != nil {
            let room = frame.height + (increase ?? 0)
            let length = room + (offset ?? 0)
            guard length > 0 else {
                throw options.error("the way ends at \(Self.text(length)), which is no way")
            }
            self.room = room
            self.length = length
        }
        if let start, let begin = self.start, let length, begin >= length {
            throw start.error(
                "the drawing begins where it ends, at \(Self.text(length)), or beyond")
        }
        if let duration = try options.member("contentInsetChangeAnimationDuration") {
            let seconds = try duration.number(in: 0...(most / 1000))
            insetDuration = (seconds * 1000).rounded()
        }
    }

    private static func text(_ length: Double) -> String { JSONValue.number(length).text }

    var settings: [OptionSetting] {
        let values: [(OptionField, Double?)] = [
            (.length, length), (.start, start), (.room, room), (.insetDuration, insetDuration),
        ]
        return values.compactMap { field, value in
            value.map { OptionSetting(field, .number($0)) }
        }
    }
}
