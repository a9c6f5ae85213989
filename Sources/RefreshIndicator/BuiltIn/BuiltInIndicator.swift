package import RefreshProtocol

/// The indicators that every daemon provides. Source: docs/indicators.md, "Built in".
package enum BuiltInIndicator: String, CaseIterable, Sendable {
    /// Twelve ticks that light up one after another with the pull, as in UIRefreshControl.
    case spinner
    /// A wheel that fades in with the pull and grows at the threshold, as in IQPullToRefresh.
    case indicator
    /// A drawing whose lines appear with the pull, as in MRefresh.
    case path
    /// Letters that light up one after another, as in AppCoda's custom control.
    case letters
    /// A compass and a needle that meet, as in Jackrabbit.
    case compass

    /// The programme with default options.
    package var programme: Programme {
        switch self {
        case .spinner: SpinnerIndicator().programme
        case .indicator: ActivityIndicator().programme
        case .path: PathIndicator().programme
        case .letters: LettersIndicator().programme
        case .compass: CompassIndicator().programme
        }
    }

    /// The options that a programme's file may set for this indicator.
    package var fields: [String] {
        switch self {
        case .spinner: SpinnerIndicator.fields
        case .indicator: ActivityIndicator.fields
        case .path: PathIndicator.fields
        case .letters: LettersIndicator.fields
        case .compass: CompassIndicator.fields
        }
    }

    fileprivate func programme(with options: PlacedValue) throws(ProgrammeError) -> Programme {
        _ = try options.members(among: fields)
        let programme =
            switch self {
            case .spinner: try SpinnerIndicator(options).programme
            case .indicator: try ActivityIndicator(options).programme
            case .path: try PathIndicator(options).programme
            case .letters: try LettersIndicator(options).programme
            case .compass: try CompassIndicator(options).programme
            }
        do throws(ProgrammeError) {
            try programme.checkBounds()
        } catch {
            throw ProgrammeError(rawValue, error.reason)
        }
        // Although the file is short, the programme that it describes can be too large for a
        // client.
        let bytes = programme.json.text.utf8.count
        guard bytes <= ProgrammeLimits.bytes else {
            throw ProgrammeError(
                rawValue,
                "its expanded form has \(bytes) bytes; at most \(ProgrammeLimits.bytes) are allowed"
            )
        }
        return programme
    }
}

extension Programme {
    /// Reads the programme in a file: a complete programme, or a built-in programme with options,
    /// as in `{"letters":{"text":"HELLO"}}`.
    ///
    /// - Throws: the error in the programme, and the place of the error.
    package init(file json: JSONValue) throws(ProgrammeError) {
        guard case .object(let members) = json, members.count == 1, let form = members.first,
            !Self.memberNames.contains(form.name)
        else {
            try self.init(json: json)
            return
        }
        let known = BuiltInIndicator.allCases.map(\.rawValue)
        _ = try PlacedValue(json).members(among: known)
        guard let indicator = BuiltInIndicator(rawValue: form.name) else {
            throw ProgrammeError("", "there is no built-in indicator \(form.name)")
        }
        self = try indicator.programme(with: PlacedValue(form.value, at: form.name))
    }
}

/// The ranges of the built-in indicators' options. Source: docs/indicators.md, "Programmes of your
/// own".
package enum IndicatorBounds {
    /// The maximum size of an indicator, and the maximum distance between its parts, in points.
    package static let size = 1000.0
    /// The width of a half of `compass`, in points. The two halves are the compass and the needle.
    /// Halves that are less than a point wide would touch even at rest.
    package static let width = 1...size
    package static let ticks = 3...24
    /// The duration of one turn, blink or step, in milliseconds.
    package static let period = 50.0...4000
    /// The largest scale.
    package static let scale = 10.0
    package static let letters = 1...24
    package static let colors = 1...12
    package static let parts = 1...16
    package static let smoothing = 0...PathLimits.smoothingMax
}
