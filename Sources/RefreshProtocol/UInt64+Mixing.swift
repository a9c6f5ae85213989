/// A hash of numbers that is the same on every machine. Source: the finalizer of SplitMix64.
extension UInt64 {
    /// The step between the states of a SplitMix64 generator.
    package static var mixingStep: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The hash of the number. Similar numbers have unrelated hashes.
    package var mixed: UInt64 {
        var bits = self &+ Self.mixingStep
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }

    /// The number divided by 2^64: at least 0, less than 1.
    package var fraction: Double { Double(self &>> 11) * 0x1p-53 }
}
