/// The side on which lines begin, which is also the leading edge of a horizontal view. Source:
/// docs/protocol.md, "geometry".
package enum LayoutDirection: String, CaseIterable, WireNamed, Sendable, Codable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}
