/// The version of this build, defined only here.
package enum DaemonVersion {
    /// A semantic version. It appears in `refreshd --version`, `refresh-probe --version`,
    /// `welcome`, journals and metrics. `scripts/version` reads this line; packages and images use
    /// that script. A build of another version rewrites this line.
    package static let current = "0.1.0"
}
