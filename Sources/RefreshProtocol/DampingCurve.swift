/// How far content follows a finger beyond its edge: whose feel it has.
/// Source: docs/protocol.md, "Profiles and edge options".
package enum DampingCurve: String, CaseIterable, WireNamed, Codable, Sendable {
    /// One to one.
    case none
    /// iOS: resists more and more, up to the viewport's length.
    case uiscrollview
    /// Half, and resisting exponentially, up to 2.5 lengths.
    case smartRefreshLayout
    /// Half up to the length, then a slingshot up to two lengths.
    case swipeRefreshLayout
    /// Half up to the length, then as SwipeRefreshLayout.
    case compose
    /// Evenly up to one and a half lengths, over a quarter of the viewport.
    case flutter
}
