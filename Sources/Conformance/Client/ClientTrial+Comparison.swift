internal import RefreshProtocol
internal import ScenarioKit

/// The comparison of what the client sent or shows with what the case expects.
extension ClientTrial {
    /// Compares a value with a pattern that can name variables. If the value matches, the captured
    /// values are stored as variables.
    func compare(_ value: JSONValue?, with pattern: Pattern) -> MessageComparison {
        var comparison = MessageComparison(variables: variables)
        comparison.compare(value, with: pattern)
        if comparison.isMatch {
            for (name, value) in comparison.captured { store(value, as: name) }
        }
        return comparison
    }

    /// Compares the view that the client shows with a form. If the client's driver does not report
    /// a field of the form, the trial ends.
    func compareShown(_ form: ViewForm) throws(TrialEnd) -> MessageComparison {
        let value = shown["views"]?[form.view]
        if case .object(let fields) = form.pattern.pattern, let value {
            for field in fields where value[field.name] == nil && field.pattern != .absent {
                throw .notOffered("showing \(field.name)")
            }
        }
        return compare(value, with: form.pattern.pattern)
    }
}
