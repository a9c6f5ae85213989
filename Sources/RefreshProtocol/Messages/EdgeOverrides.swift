/// Options of an edge that a client changes; nil keeps the profile's value.
/// Source: docs/protocol.md, "Profiles and edge options".
package struct EdgeOverrides: Hashable, Sendable {
    package var enabled: Bool?
    package var trigger: TriggerStyle?
    /// Load more only.
    package var mode: LoadMoreMode?
    /// Points.
    package var length: Double?
    /// Points.
    package var preload: Double?
    package var hold: Bool?
    /// Milliseconds.
    package var insetDuration: Double?
    /// Load more only: pages.
    package var fill: Int?

    package init() {}
}
