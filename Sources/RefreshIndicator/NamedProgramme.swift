/// An indicator that views may be attached with. Source: docs/indicators.md.
package struct NamedProgramme: Hashable, Sendable {
    package var name: String
    package var programme: Programme

    package init(_ name: String, _ programme: Programme) {
        self.name = name
        self.programme = programme
    }
}
