/// A backend as the metrics see it.
package struct MeasuredBackend: Sendable {
    /// The key of `backends`, or the name of the feed that has it for itself.
    package let name: String
    package let kind: BackendKind
    package let durations: CallDurations

    package init(name: String, kind: BackendKind, durations: CallDurations = CallDurations()) {
        self.name = name
        self.kind = kind
        self.durations = durations
    }
}
