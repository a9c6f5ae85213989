/// What changed in one view and was not told yet. A later change of the same thing replaces the
/// earlier one, so it stays one message however long it waits; haptic cues append.
package struct ViewUpdate: Hashable, Sendable {
    package var top = EdgeUpdate()
    package var bottom = EdgeUpdate()
    package private(set) var inset: InsetCommand?
    package var offset: OffsetCommand?
    package private(set) var haptics = HapticCues()

    package init() {}

    package var isEmpty: Bool {
        top.isEmpty && bottom.isEmpty && inset == nil && offset == nil && haptics.isEmpty
    }

    package subscript(edge: Edge) -> EdgeUpdate {
        @inline(__always) get { edge == .top ? top : bottom }
        @inline(__always) _modify {
            switch edge {
            case .top: yield &top
            case .bottom: yield &bottom
            }
        }
    }

    /// The newer command wins, edge by edge; one timeline serves both.
    package mutating func merge(_ command: InsetCommand) {
        inset = InsetCommand(
            top: command.top ?? inset?.top, bottom: command.bottom ?? inset?.bottom,
            timeline: command.timeline)
    }

    /// Whether something is to be moved.
    @inline(__always)
    package var hasCommands: Bool { inset != nil || offset != nil }

    /// Nothing is to be moved.
    package mutating func withdrawCommands() {
        inset = nil
        offset = nil
    }

    /// Everything was told.
    @inline(__always)
    package mutating func removeAll() {
        top.removeAll()
        bottom.removeAll()
        inset = nil
        offset = nil
        haptics = HapticCues()
    }

    package mutating func append(_ haptic: Haptic) { haptics.append(haptic) }
}
