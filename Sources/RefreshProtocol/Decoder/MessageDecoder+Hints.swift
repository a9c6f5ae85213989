/// What stands beside the samples of clients that paint by themselves. Nobody else pays for it: a
/// sample is decoded without it, and who wants it asks while the sample's fields are still in the
/// table.
extension MessageDecoder {
    @inline(__always)
    static var hints: UInt64 { FieldTable.bit(.predicted) | FieldTable.bit(.from) }

    /// What stands beside the sample that was decoded last; nil: nothing.
    package func hint(in frame: Span<UInt8>) -> SampleHint? {
        guard table.hasAny(of: Self.hints) else { return nil }
        return try? readHint(in: frame)
    }

    @inline(never)
    func checkHint(in frame: Span<UInt8>) throws(Fault) { _ = try readHint(in: frame) }

    private func readHint(in frame: Span<UInt8>) throws(Fault) -> SampleHint {
        SampleHint(
            predicted: try table.keyword(.predicted, from: vocabulary.predictions, in: frame),
            origin: try table.number(.from, within: limits.geometryPointsMax))
    }
}
