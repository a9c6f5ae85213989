/// The version of this build, defined only here.
package enum DaemonVersion {
    /// A semantic version. It appears in `refreshd --version`, `refresh-probe --version`,
    /// `welcome`, journals and metrics. The script `scripts/version` reads the version from this
    /// line, and the scripts for packages and images call it. A build of another version changes
    /// this line first.
    package static let current = "0.1.0"
}
