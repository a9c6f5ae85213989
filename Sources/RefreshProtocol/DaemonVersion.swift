/// The version of this build, defined only here.
package enum DaemonVersion {
    /// A semantic version. It appears in `refreshd --version`, `refresh-probe --version`,
    /// `welcome`, journals and metrics. The script `scripts/version` reads the version from this
    /// line, and the scripts that build packages and images call `scripts/version`. To build
    /// another version, change this line first.
    package static let current = "0.1.0"
}
