package import RefreshIndicator
import RefreshProtocol

/// The programmes of a daemon by name. A programme that was prepared for one session is reused for
/// later sessions.
///
/// A catalogue belongs to one loop, and only the loop's thread uses it.
package final class IndicatorCatalogue {
    private struct Staging: Hashable {
        var name: String
        /// One of the languages in which the programme has texts. Other languages have no entry, so
        /// clients cannot make the cache grow.
        var language: String
    }

    package let programmes: [NamedProgramme]
    /// The programmes that the configuration adds.
    let configured: [NamedProgramme]
    private var prepared: [Staging: PreparedIndicator] = [:]

    /// Creates the catalogue of the built-in programmes and those that the configuration adds.
    package init(_ configured: [NamedProgramme] = []) {
        self.configured = configured
        programmes = Self.builtIn + configured
    }

    private static let builtIn = BuiltInIndicator.allCases.map {
        NamedProgramme($0.rawValue, $0.programme)
    }

    /// The programme with that name for a client with that language; nil if there is none.
    func programme(named name: String, language: String) -> PreparedIndicator? {
        guard let found = programmes.first(where: { $0.name == name })?.programme else {
            return nil
        }
        let key = Staging(name: name, language: found.nearestLanguage(to: language))
        if let known = prepared[key] { return known }
        let new = PreparedIndicator(found, language: key.language)
        prepared[key] = new
        return new
    }

    func contains(_ name: String) -> Bool { programmes.contains { $0.name == name } }

    /// The edge options that the programme sets, as far as an edge with that role has them.
    func edgeOptions(of name: String, at role: EdgeRole) -> [OptionSetting] {
        let options = programmes.first { $0.name == name }?.programme.edge ?? []
        switch role {
        case .refresh: return options
        case .loadMore:
            return options.filter { $0.field == .length || $0.field == .insetDuration }
        }
    }
}
