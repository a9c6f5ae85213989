package import RefreshProtocol

/// A number in a scenario: a literal, or a sum of literals and variables.
package struct Amount: Hashable, Sendable {
    /// One term of the sum.
    package struct Term: Hashable, Sendable {
        package var value: Value
        /// Whether the term is subtracted.
        package var isNegative: Bool

        package init(_ value: Value, isNegative: Bool = false) {
            self.value = value
            self.isNegative = isNegative
        }
    }

    /// The value of a term.
    package enum Value: Hashable, Sendable {
        case number(Double)
        /// The value of the variable with this name.
        case variable(String)
    }

    /// The terms, at least one.
    package var terms: [Term]

    package init(_ terms: [Term]) { self.terms = terms }

    /// The maximum absolute value. A larger value cannot be a position. The bound also ensures that
    /// sums are finite.
    private static let magnitudeMax = 1e15

    /// The reason why an amount has no numeric value, as text for a report.
    package struct NoNumber: Error, Hashable, Sendable {
        package var reason: String
    }

    /// Returns the value of the sum.
    ///
    /// - Throws: if a variable has no value or a value that is not a number, or if the sum is too
    ///   large.
    package func number(
        in variables: [String: JSONValue]
    ) throws(NoNumber) -> Double {
        var sum = 0.0
        for term in terms {
            let number: Double
            switch term.value {
            case .number(let value): number = value
            case .variable(let name):
                guard let value = variables[name]?.number else {
                    let held = variables[name]?.text ?? "nothing yet"
                    throw NoNumber(reason: "a number in $\(name), which holds \(held)")
                }
                number = value
            }
            sum += term.isNegative ? -number : number
        }
        guard abs(sum) <= Self.magnitudeMax else {
            throw NoNumber(reason: "a number within \(Self.magnitudeMax), but the sum is \(sum)")
        }
        return sum
    }

    /// The value. Nil if the amount contains a variable, or if the sum is too large.
    package var constant: Double? { try? number(in: [:]) }
}

extension Amount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral value: Double) { self.init([Term(.number(value))]) }
    package init(integerLiteral value: Int) { self.init([Term(.number(Double(value)))]) }

    /// Creates an amount from a literal.
    package init(_ number: Double) { self.init([Term(.number(number))]) }
}

extension Amount: CustomStringConvertible {
    /// The amount in the form of the scenario language.
    package var description: String {
        var text = ""
        for (index, term) in terms.enumerated() {
            if index > 0 { text += term.isNegative ? " - " : " + " }
            switch term.value {
            case .number(let number): text += JSONValue.number(number).text
            case .variable(let name): text += "$\(name)"
            }
        }
        return text
    }
}

extension Amount.NoNumber: CustomStringConvertible {
    package var description: String { reason }
}
