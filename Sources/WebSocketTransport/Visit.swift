/// What the loop keeps of one accepted connection, from accept to the end, whatever it becomes. The
/// library holds it. On the loop's thread only.
@safe
final class Visit {
    /// What the handler gave it.
    let place: HeldPlace
    /// Whether it is closed after its first answer.
    let isHeardOutOnly: Bool
    /// When the head that is awaited must be there, microseconds; nil while none is awaited.
    var headDueAt: Int64?
    /// What belongs to it before it stands: an admission, or an answer under way.
    var held: AnyObject?
    /// Nil after the end.
    private(set) var wsi: OpaquePointer?

    init(place: HeldPlace, isHeardOutOnly: Bool, wsi: OpaquePointer) {
        self.place = place
        self.isHeardOutOnly = isHeardOutOnly
        unsafe self.wsi = wsi
    }

    func ended() {
        unsafe wsi = nil
        headDueAt = nil
        held = nil
    }
}
