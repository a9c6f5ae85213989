/// The version of this build.
package enum DaemonVersion {
    /// Semantic versioning; `refreshd --version`, `welcome` and the metrics say it.
    package static let current = "0.1.0"
}
