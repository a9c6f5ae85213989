/// The version of this build: the one place where it stands.
package enum DaemonVersion {
    /// Semantic versioning; `refreshd --version`, `refresh-probe --version`, `welcome`, journals
    /// and the metrics say it. `scripts/version` reads this line, and packages and images ask that;
    /// one that is built as another version writes it anew.
    package static let current = "0.1.0"
}
