import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// The indicators of the views.
extension Conversation {
    /// The client's choices of indicators, by the role of the edge.
    typealias Choices = [EdgeRole: IndicatorChoice]

    /// Removes the choices of indicators from the options of the edges, and returns the choices.
    ///
    /// - Throws: `unknownIndicator` if the client names an indicator that does not exist.
    func removeIndicators(
        from edges: inout EdgeSettings, in layout: ViewLayout
    ) throws(Fault) -> Choices {
        var choices: Choices = [:]
        for edge in Edge.allCases {
            // An edge that the view cannot have is skipped here. It is reported later, when the
            // options are applied.
            let roles = layout.roles(of: edge)
            guard !roles.isEmpty, let choice = edges.removeIndicator(of: edge) else { continue }
            if case .named(let name) = choice, !services.indicators.contains(name) {
                throw Fault(.unknownIndicator, option: .indicator)
            }
            for role in roles { choices[role] = choice }
        }
        return choices
    }

    /// Applies the edge options of the programmes that the client names.
    func apply(_ choices: Choices, to options: inout ViewOptions) throws(Fault) {
        for (role, choice) in choices {
            guard case .named(let name) = choice else { continue }
            try options.apply(services.indicators.edgeOptions(of: name, at: role), to: role)
        }
    }

    /// Returns the indicators of a new view.
    func makeIndicators(
        _ choices: Choices, _ profile: Profile, _ engine: Engine, at now: Instant
    ) -> ViewIndicators {
        let indicators = ViewIndicators(renderMode.settings)
        for role in EdgeRole.allCases where engine.options.hasEdge(role) {
            let choice = choices[role] ?? .named(profile.indicator(of: role))
            setIndicator(choice, at: role, of: indicators, engine, at: now)
        }
        return indicators
    }

    /// Changes the indicators of an attached view.
    mutating func changeIndicators(_ choices: Choices, ofViewAt index: Int, at now: Instant) {
        guard !choices.isEmpty, let indicators = views[index].presentation?.indicators else {
            return
        }
        for (role, choice) in choices {
            setIndicator(choice, at: role, of: indicators, views[index].engine, at: now)
        }
        outbox.append(
            .passing(
                ServerText.indicatorUpdate(Set(choices.keys), of: views[index], ack: inbound.ack)))
    }

    private func setIndicator(
        _ choice: IndicatorChoice, at role: EdgeRole, of indicators: ViewIndicators,
        _ engine: Engine, at now: Instant
    ) {
        let (state, pull) =
            role == .refresh
            ? (engine.refresh.phase.state, engine.pullFraction)
            : (engine.loadMore.phase.state, engine.loadMore.phase.progress)
        guard case .named(let name) = choice,
            let programme = services.indicators.programme(
                named: name, language: indicators.settings.language)
        else { return indicators.setIndicator(role, nil, state: state, pull: pull, at: now) }
        indicators.setIndicator(role, (name, programme), state: state, pull: pull, at: now)
    }
}
