/// The relation between a finger's travel beyond the edge and the shown content, each modelled on
/// one platform. Source: docs/protocol.md, "Profiles and edge options".
package enum DampingCurve: String, CaseIterable, WireNamed, Codable, Sendable {
    /// One to one.
    case none
    /// iOS: the resistance grows with the travel, up to the viewport's length.
    case uiscrollview
    /// Half the travel with exponentially growing resistance, up to 2.5 lengths.
    case smartRefreshLayout
    /// Half the travel up to the length, then a slingshot up to two lengths.
    case swipeRefreshLayout
    /// Half the travel up to the length, then as in SwipeRefreshLayout.
    case compose
    /// Linear up to one and a half lengths, over a quarter of the viewport.
    case flutter
}
