/// How a part of a text is shown, where there are colours: the same in all that the probe prints.
package enum Tint: Sendable {
    /// As it should be.
    case good
    /// Neither right nor wrong.
    case doubtful
    /// Not as it should be.
    case bad
    /// What is looked for first.
    case strong
    /// What stands back.
    case faint
    /// What happens at an edge of a list.
    case lively

    /// Paints a text, or leaves it, where there are no colours.
    package typealias Painter = (String, Tint) -> String

    /// Leaves every text as it is.
    package static let none: @Sendable (String, Tint) -> String = { text, _ in text }

    /// The text between what a terminal takes as the colour and its end. Source: ECMA-48, 8.3.117.
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
