import RefreshProtocol

extension Easing {
    /// The easings that are objects on the wire.
    package static let families = ["cubicBezier", "steps", "spring"]

    init(_ value: PlacedValue) throws(ProgrammeError) {
        if case .string(let name) = value.value {
            guard let named = Self.named.first(where: { $0.name == name }) else {
                let names = Self.named.map(\.name).joined(separator: ", ")
                throw value.error("expected one of \(names), or an object")
            }
            self = named.easing
            return
        }
        let members = try value.members(among: Self.families)
        guard members.count == 1, let (family, parameters) = members.first else {
            throw value.error("expected one of \(Self.families.joined(separator: ", "))")
        }
        let parts = try parameters.elements()
        switch family {
        case "cubicBezier":
            guard parts.count == 4 else { throw parameters.error("expected four numbers") }
            let y = -ProgrammeLimits.lengthMax...ProgrammeLimits.lengthMax
            self = .cubicBezier(
                x1: try parts[0].number(in: 0...1), y1: try parts[1].number(in: y),
                x2: try parts[2].number(in: 0...1), y2: try parts[3].number(in: y))
        case "steps":
            guard parts.count == 2 else { throw parameters.error("expected [count, jump]") }
            let jump = try parts[1].keyword(Jump.self)
            self = .steps(
                try parts[0].wholeNumber(in: (jump == .none ? 2 : 1)...ProgrammeLimits.stepsMax),
                jump)
        default:
            guard parts.count == 2 else { throw parameters.error("expected [damping, periods]") }
            self = .spring(
                damping: try parts[0].number(in: ProgrammeLimits.dampings),
                periods: try parts[1].number(in: ProgrammeLimits.periods))
        }
    }
}
