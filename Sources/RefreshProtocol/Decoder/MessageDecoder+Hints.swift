/// Reads the additional members of samples from clients that paint locally. A sample is decoded
/// without these members, so they cost no time for other clients. A caller that needs the members
/// reads them while the fields of the sample are still in the table.
extension MessageDecoder {
    @inline(__always)
    static var hints: UInt64 { FieldTable.bit(.predicted) | FieldTable.bit(.from) }

    /// The hint of the sample that was decoded last; nil if that sample has no hint.
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
