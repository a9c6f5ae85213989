package import RefreshConfiguration
package import RefreshSession

/// A backend with its labels in the metrics.
package struct MeasuredBackend: Sendable {
    /// The key in `backends`, or the name of the feed that has its own backend.
    package let name: String
    package let kind: BackendKind
    package let durations: CallDurations

    package init(name: String, kind: BackendKind, durations: CallDurations = CallDurations()) {
        self.name = name
        self.kind = kind
        self.durations = durations
    }
}
