package import RefreshConfiguration
package import RefreshSession

/// A backend, as the metrics label it.
package struct MeasuredBackend: Sendable {
    /// The key of `backends`, or the name of the feed that does not share it.
    package let name: String
    package let kind: BackendKind
    package let durations: CallDurations

    package init(name: String, kind: BackendKind, durations: CallDurations = CallDurations()) {
        self.name = name
        self.kind = kind
        self.durations = durations
    }
}
