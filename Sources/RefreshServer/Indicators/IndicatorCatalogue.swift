import RefreshIndicator
import RefreshProtocol

/// The programmes of a daemon by name. What it has made ready for one session serves the next.
///
/// Belongs to one loop and is touched by its thread alone.
package final class IndicatorCatalogue {
    private struct Staging: Hashable {
        var name: String
        /// One of the languages that the programme has: how many there are no client decides.
        var language: String
    }

    package let programmes: [NamedProgramme]
    /// Those that the configuration adds.
    let configured: [NamedProgramme]
    private var staged: [Staging: StagedProgramme] = [:]

    /// The built-in ones, and those that the configuration adds.
    package init(_ configured: [NamedProgramme] = []) {
        self.configured = configured
        programmes = Self.builtIn + configured
    }

    private static let builtIn = BuiltInIndicator.allCases.map {
        NamedProgramme($0.rawValue, $0.programme)
    }

    /// The programme of that name for a client of that language; nil if there is none.
    func programme(named name: String, language: String) -> StagedProgramme? {
        guard let found = programmes.first(where: { $0.name == name })?.programme else {
            return nil
        }
        let key = Staging(name: name, language: found.nearestLanguage(to: language))
        if let known = staged[key] { return known }
        let new = StagedProgramme(found, language: key.language)
        staged[key] = new
        return new
    }

    func has(_ name: String) -> Bool { programmes.contains { $0.name == name } }

    /// What the programme of that name says of the edge that it is made for, as far as an edge of
    /// that role has such options.
    func edgeOptions(of name: String, at role: EdgeRole) -> [OptionSetting] {
        let options = programmes.first { $0.name == name }?.programme.edge ?? []
        switch role {
        case .refresh: return options
        case .loadMore:
            return options.filter { $0.field == .length || $0.field == .insetDuration }
        }
    }
}
