import RefreshProtocol

/// MRefresh's four view parameters. They set the room of the drawing, and the duration of an
/// inset change. They also set the pulled distances at which the drawing begins and is complete.
struct PathEdge {
    /// The room in points. If it is nil, the room of the profile applies.
    var room: Double?
    var start: Double?
    var length: Double?
    /// The duration of the change of the inset, in milliseconds.
    var insetDuration: Double?

    static let fields = [
        "heightIncrease", "animationStartDistance", "animationEndDistanceOffset",
        "contentInsetChangeAnimationDuration",
    ]

    init() {}

    /// The room is the frame's height plus `heightIncrease`. The drawing is complete when the
    /// pulled distance is the room plus `animationEndDistanceOffset`. If one of these two options
    /// is missing, it counts as 0. If both are missing, the profile's values apply.
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
                throw options.error(
                    "the animation must end above 0, but ends at \(Self.text(length))")
            }
            self.room = room
            self.length = length
        }
        if let start, let begin = self.start, let length, begin >= length {
            throw start.error(
                "the animation must start before its end, \(Self.text(length))")
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
