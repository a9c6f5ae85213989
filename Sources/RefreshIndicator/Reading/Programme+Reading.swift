package import RefreshProtocol

/// Reads a programme from JSON. Source: docs/indicators.md, docs/indicator.schema.json.
extension Programme {
    /// The members of a programme.
    package static let memberNames = [
        "size", "place", "rate", "layers", "pull", "run", "finish", "states", "strings", "edge",
    ]

    /// - Throws: the error in the programme, and the place of the error.
    package init(json: JSONValue) throws(ProgrammeError) {
        let whole = PlacedValue(json)
        _ = try whole.members(among: Self.memberNames)
        var layers: [Layer] = []
        for element in try whole.requiredMember("layers").elements() {
            let layer = try Layer(element)
            guard !layers.contains(where: { $0.name == layer.name }) else {
                throw element.error("there is already a layer \(layer.name)")
            }
            layers.append(layer)
        }
        guard 1...ProgrammeLimits.layers ~= layers.count else {
            throw ProgrammeError("layers", "expected 1 to \(ProgrammeLimits.layers) layers")
        }
        self.init(layers: layers)
        if let size = try whole.member("size") { self.size = try Self.size(size) }
        if let place = try whole.member("place") { self.place = try place.keyword(Place.self) }
        if let rate = try whole.member("rate") {
            self.rate = try rate.wholeNumber(in: FrameSettings.rates)
        }
        let tracks = TrackReader(layers)
        if let pull = try whole.member("pull") {
            _ = try pull.members(among: ["tracks"])
            self.pull = try tracks.tracks(of: pull, upTo: ProgrammeLimits.pullMax)
        }
        if let run = try whole.member("run") { self.run = try Run(run, tracks) }
        if let finish = try whole.member("finish") { self.finish = try Finish(finish, tracks) }
        if let states = try whole.member("states") {
            for (name, look) in try states.members(among: EdgeState.allCases.map(\.rawValue)) {
                guard let state = EdgeState(rawValue: name) else { continue }
                self.states[state] = try StateLook(look, tracks)
            }
        }
        if let strings = try whole.member("strings") { self.strings = try Self.strings(strings) }
        if let edge = try whole.member("edge") { self.edge = try Self.options(edge) }
        try checkBounds()
        try checkTexts()
        let bytes = self.json.text.utf8.count
        guard bytes <= ProgrammeLimits.bytes else {
            throw ProgrammeError(
                "",
                "its expanded form has \(bytes) bytes; at most \(ProgrammeLimits.bytes) are allowed"
            )
        }
    }

    private static func size(_ value: PlacedValue) throws(ProgrammeError) -> Size {
        let parts = try value.elements()
        guard parts.count == 2 else { throw value.error("expected width and height") }
        return Size(
            width: try parts[0].positiveNumber(upTo: ProgrammeLimits.lengthMax),
            height: try parts[1].positiveNumber(upTo: ProgrammeLimits.lengthMax))
    }

    private static func strings(
        _ value: PlacedValue
    ) throws(ProgrammeError) -> [String: [String: String]] {
        var strings: [String: [String: String]] = [:]
        for (name, languages) in try value.members() {
            var texts: [String: String] = [:]
            for (language, text) in try languages.members() { texts[language] = try text.text() }
            guard !texts.isEmpty else { throw languages.error("expected at least one language") }
            strings[name] = texts
        }
        guard strings.count <= ProgrammeLimits.strings else {
            throw value.error("at most \(ProgrammeLimits.strings) are allowed")
        }
        return strings
    }

    /// The edge options that a programme may set, and the minimum value of each option.
    package static let edgeOptions: [(field: OptionField, least: Double)] = [
        (.length, .leastNormalMagnitude), (.start, 0), (.room, 0), (.insetDuration, 0),
    ]

    private static func options(_ value: PlacedValue) throws(ProgrammeError) -> [OptionSetting] {
        _ = try value.members(among: edgeOptions.map(\.field.wireName))
        var settings: [OptionSetting] = []
        for (field, least) in edgeOptions {
            guard let option = try value.member(field.wireName) else { continue }
            let most = ProgrammeLimits.lengthMax
            let number =
                try least > 0 ? option.positiveNumber(upTo: most) : option.number(in: least...most)
            settings.append(OptionSetting(field, .number(number)))
        }
        return settings
    }

    /// - Throws: if there are too many tracks or keys.
    package func checkBounds() throws(ProgrammeError) {
        let tracks = allTracks
        guard tracks.count <= ProgrammeLimits.tracks else {
            throw ProgrammeError("", "at most \(ProgrammeLimits.tracks) tracks are allowed")
        }
        guard tracks.reduce(0, { $0 + $1.keys.count }) <= ProgrammeLimits.keys else {
            throw ProgrammeError("", "at most \(ProgrammeLimits.keys) keys are allowed")
        }
    }

    package var allTracks: [Track] {
        pull + (run?.tracks ?? []) + (finish?.success?.tracks ?? [])
            + (finish?.failure?.tracks ?? [])
    }

    private func checkTexts() throws(ProgrammeError) {
        for (index, layer) in layers.enumerated() {
            guard case .text(let text, _, _) = layer.content else { continue }
            try checkText(text, "layers[\(index)].text")
        }
        for state in EdgeState.allCases {
            for (name, text) in states[state]?.texts.sorted(by: { $0.key < $1.key }) ?? [] {
                try checkText(text, "states.\(state.rawValue).text.\(name)")
            }
        }
    }

    private func checkText(_ text: String, _ place: String) throws(ProgrammeError) {
        guard text.hasPrefix("@"), !text.hasPrefix("@@") else { return }
        let name = String(text.dropFirst())
        guard strings[name] == nil else { return }
        throw ProgrammeError(
            place, "there is no string \"\(name)\"; write @@ for a text that begins with @")
    }
}

extension Programme.Run {
    fileprivate init(_ value: PlacedValue, _ reader: TrackReader) throws(ProgrammeError) {
        _ = try value.members(among: ["duration", "loopFrom", "step", "tracks"])
        let duration = try value.requiredMember("duration").duration()
        let loopFrom = try value.member("loopFrom")
        let start = try loopFrom?.number(in: 0...duration) ?? 0
        if let loopFrom, start < duration, duration - start < ProgrammeLimits.timeMin {
            throw loopFrom.error("a loop must last at least 1 ms")
        }
        self.init(
            duration: duration, loopFrom: start, step: try value.member("step")?.duration(),
            tracks: try reader.tracks(of: value, upTo: duration))
    }
}

extension Programme.Finish {
    fileprivate init(_ value: PlacedValue, _ reader: TrackReader) throws(ProgrammeError) {
        _ = try value.members(among: ["ending", "success", "failure"])
        self.init(
            ending: try value.member("ending")?.keyword(Programme.Ending.self) ?? .atOnce,
            success: try Self.clip(try value.member("success"), reader),
            failure: try Self.clip(try value.member("failure"), reader))
    }

    private static func clip(
        _ value: PlacedValue?, _ reader: TrackReader
    ) throws(ProgrammeError) -> Programme.Clip? {
        guard let value else { return nil }
        _ = try value.members(among: ["duration", "tracks"])
        let duration = try value.requiredMember("duration").duration()
        return Programme.Clip(
            duration: duration, tracks: try reader.tracks(of: value, upTo: duration))
    }
}
