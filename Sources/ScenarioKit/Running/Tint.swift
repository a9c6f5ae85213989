/// The style of a part of a text on a terminal with colours. All output of `refresh-probe` uses
/// these styles.
package enum Tint: Sendable {
    /// Correct.
    case good
    /// Neither correct nor wrong.
    case doubtful
    /// Wrong.
    case bad
    /// The most important text.
    case strong
    /// Less important text.
    case faint
    /// An event at an edge of a list.
    case lively

    /// Paints a text, or returns it unchanged if there are no colours.
    package typealias Painter = (String, Tint) -> String

    /// Returns every text unchanged.
    package static let none: @Sendable (String, Tint) -> String = { text, _ in text }

    /// Returns the text between the escape sequences for the colour and its reset. Source: ECMA-48,
    /// 8.3.117.
    package func painting(_ text: String) -> String { "\u{1B}[\(parameter)m\(text)\u{1B}[0m" }

    private var parameter: String {
        switch self {
        case .good: "32"
        case .doubtful: "33"
        case .bad: "31"
        case .strong: "1"
        case .faint: "2"
        case .lively: "36"
        }
    }
}
