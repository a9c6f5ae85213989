extension ConformanceSession {
    /// A bound that the server tells, which the case requires; 0 if it does not tell it.
    func limit(_ name: String) -> Int { survey.limit(name).flatMap { Int(exactly: $0) } ?? 0 }
}
