internal import ScenarioKit

extension ConformanceSession {
    /// Returns a limit from the server's `welcome`, which the case requires; 0 if the server does
    /// not announce it.
    func limit(_ name: String) -> Int { survey.limit(name).flatMap { Int(exactly: $0) } ?? 0 }
}
