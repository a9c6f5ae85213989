package import RefreshProtocol

/// A number of a scenario: written down, or a sum of numbers and of what variables hold.
package struct Amount: Hashable, Sendable {
    /// One part of the sum.
    package struct Term: Hashable, Sendable {
        package var value: Value
        /// Whether it is taken away.
        package var isNegative: Bool

        package init(_ value: Value, isNegative: Bool = false) {
            self.value = value
            self.isNegative = isNegative
        }
    }

    /// What a part is.
    package enum Value: Hashable, Sendable {
        case number(Double)
        /// What the variable of that name holds.
        case variable(String)
    }

    /// At least one.
    package var terms: [Term]

    package init(_ terms: [Term]) { self.terms = terms }

    /// What is beyond it is no position, and no arithmetic of a hand must leave the numbers.
    private static let magnitudeMax = 1e15

    /// Why it comes to no number, in the words of a report.
    package struct NoNumber: Error, Hashable, Sendable {
        package var reason: String
    }

    /// What it comes to.
    /// - Throws: when a variable that it names holds no number.
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
            throw NoNumber(reason: "a number within \(Self.magnitudeMax), which \(sum) is not")
        }
        return sum
    }

    /// The number, where no variable is named; nil otherwise.
    package var constant: Double? { try? number(in: [:]) }
}

extension Amount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral value: Double) { self.init([Term(.number(value))]) }
    package init(integerLiteral value: Int) { self.init([Term(.number(Double(value)))]) }

    /// As it is.
    package init(_ number: Double) { self.init([Term(.number(number))]) }
}

extension Amount: CustomStringConvertible {
    /// As it would stand in a file.
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
