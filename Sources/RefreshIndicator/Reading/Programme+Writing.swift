package import RefreshProtocol

/// Writes a programme as JSON. Empty members, and most members with a default value, are omitted.
extension Programme {
    /// The JSON of a file.
    package var json: JSONValue {
        var members = wireMembers { $0 }
        if !strings.isEmpty {
            members.append(
                JSONValue.Member(
                    "strings",
                    .object(
                        strings.sorted { $0.key < $1.key }.map { name, texts in
                            JSONValue.Member(name, Self.object(of: texts))
                        })))
        }
        if !edge.isEmpty {
            members.append(
                JSONValue.Member(
                    "edge",
                    .object(
                        edge.compactMap { setting in
                            guard case .number(let number) = setting.value else { return nil }
                            return JSONValue.Member(setting.field.wireName, .number(number))
                        })))
        }
        return .object(members)
    }

    /// The JSON for a client whose language is `language`.
    package func json(language: String) -> JSONValue {
        .object(wireMembers { text in self.text(text, in: language) })
    }

    /// The text for a client whose language is `language`.
    package func text(_ text: String, in language: String) -> String {
        guard text.hasPrefix("@") else { return text }
        // A text that begins with `@@` is literal. Its first `@` is the escape character.
        if text.hasPrefix("@@") { return String(text.dropFirst()) }
        guard let texts = strings[String(text.dropFirst())] else { return text }
        let known = Self.languageCandidates(for: language).lazy.compactMap { texts[$0] }.first
        return known ?? texts.min { $0.key < $1.key }?.value ?? ""
    }

    /// The languages in which a client with that language may get a text, in the order of
    /// preference.
    private static func languageCandidates(for language: String) -> [String] {
        [language, String(language.prefix { $0 != "-" }), "en"]
    }

    /// The first language of `languageCandidates` in which the programme has a text. All texts are
    /// the same for this language as for `language`.
    package func nearestLanguage(to language: String) -> String {
        let known = Set(strings.values.flatMap(\.keys))
        return Self.languageCandidates(for: language).first { known.contains($0) } ?? "en"
    }

    /// The same programme with the texts for a client whose language is `language`.
    package func localized(to language: String) -> Programme {
        var copy = self
        for index in layers.indices {
            guard case .text(let text, let size, let font) = layers[index].content else {
                continue
            }
            copy.layers[index].content = .text(
                self.text(text, in: language), size: size, font: font)
        }
        copy.states = states.mapValues { look in
            var look = look
            look.texts = look.texts.mapValues { text($0, in: language) }
            return look
        }
        copy.strings = [:]
        return copy
    }

    private func wireMembers(_ resolved: (String) -> String) -> [JSONValue.Member] {
        var members = [
            JSONValue.Member("size", .array([.number(size.width), .number(size.height)])),
            JSONValue.Member("place", .string(place.rawValue)),
            JSONValue.Member("rate", .number(Double(rate))),
            JSONValue.Member("layers", .array(layers.map { $0.json(resolved) })),
        ]
        if !pull.isEmpty {
            members.append(JSONValue.Member("pull", .object([Self.member(of: pull)])))
        }
        if let run {
            members.append(
                JSONValue.Member(
                    "run",
                    .object([
                        JSONValue.Member("duration", .number(run.duration)),
                        JSONValue.Member("loopFrom", .number(run.loopFrom)),
                        JSONValue.Member("step", .number(run.step)),
                        Self.member(of: run.tracks),
                    ])))
        }
        if let finish {
            members.append(JSONValue.Member("finish", finish.json))
        }
        let looks = EdgeState.allCases.compactMap { state in
            states[state].map { JSONValue.Member(state.rawValue, $0.json(resolved)) }
        }
        if !looks.isEmpty { members.append(JSONValue.Member("states", .object(looks))) }
        return members
    }

    /// The member `tracks`.
    fileprivate static func member(of tracks: [Track]) -> JSONValue.Member {
        var layers = JSONValue.object([])
        for track in tracks {
            var properties = layers[track.layer] ?? .object([])
            properties[track.property.rawValue] = .array(track.keys.map(\.json))
            layers[track.layer] = properties
        }
        return JSONValue.Member("tracks", layers)
    }

    fileprivate static func object(of texts: [String: String]) -> JSONValue {
        .object(texts.sorted { $0.key < $1.key }.map { JSONValue.Member($0, .string($1)) })
    }
}

extension Programme.Finish {
    fileprivate var json: JSONValue {
        var members = [JSONValue.Member("ending", .string(ending.rawValue))]
        for (name, clip) in [("success", success), ("failure", failure)] {
            guard let clip else { continue }
            members.append(
                JSONValue.Member(
                    name,
                    .object([
                        JSONValue.Member("duration", .number(clip.duration)),
                        Programme.member(of: clip.tracks),
                    ])))
        }
        return .object(members)
    }
}

extension StateLook {
    fileprivate func json(_ resolved: (String) -> String) -> JSONValue {
        var members: [JSONValue.Member] = []
        if !set.isEmpty {
            var layers = JSONValue.object([])
            for setting in set {
                var properties = layers[setting.layer] ?? .object([])
                properties[setting.property.rawValue] = setting.value.json
                layers[setting.layer] = properties
            }
            members.append(JSONValue.Member("set", layers))
        }
        for (name, transitions) in [("enter", enter), ("exit", exit)] where !transitions.isEmpty {
            members.append(JSONValue.Member(name, .array(transitions.map(\.json))))
        }
        if !texts.isEmpty {
            members.append(
                JSONValue.Member("text", Programme.object(of: texts.mapValues(resolved))))
        }
        return .object(members)
    }
}

extension Transition {
    fileprivate var json: JSONValue {
        var members = [JSONValue.Member("duration", .number(duration))]
        if easing != .linear { members.append(JSONValue.Member("easing", easing.json)) }
        if let properties {
            let names = LayerProperty.allCases.filter { properties.contains($0) }
            members.append(
                JSONValue.Member("properties", .array(names.map { .string($0.rawValue) })))
        }
        return .object(members)
    }
}
