import Testing

@testable import RefreshBroker

@Suite("SipHash-2-4")
struct SipHashTests {
    /// The hashes of the first 0, 1, … 15 bytes of the text 00 01 … 0e under the key 00 01 … 0f.
    /// Source: `vectors_sip64` of the reference implementation. The last vector is also in appendix
    /// A of the paper.
    private static let vectors: [UInt64] = [
        0x726F_DB47_DD0E_0E31, 0x74F8_39C5_93DC_67FD, 0x0D6C_8009_D9A9_4F5A,
        0x8567_6696_D7FB_7E2D, 0xCF27_94E0_2771_87B7, 0x1876_5564_CD99_A68D,
        0xCBC9_466E_58FE_E3CE, 0xAB02_00F5_8B01_D137, 0x93F5_F579_9A93_2462,
        0x9E00_82DF_0BA9_E4B0, 0x7A5D_BBC5_94DD_B9F3, 0xF4B3_2F46_226B_ADA7,
        0x751E_8FBC_860E_E5FB, 0x14EA_5627_C084_3D90, 0xF723_CA90_8E7A_F2EE,
        0xA129_CA61_49BE_45E5,
    ]

    private static let hash = SipHash(key: 0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)

    @Test("The hashes equal the published vectors, at any offset of the text in a buffer")
    func vectors() {
        for (count, vector) in Self.vectors.enumerated() {
            let text = Array(UInt8(0)..<UInt8(count))
            #expect(Self.hash.hash(text.span, in: text.indices) == vector)
            let padded = [0xAA, 0xBB, 0xCC] + text + [0xDD]
            #expect(Self.hash.hash(padded.span, in: 3..<(3 + count)) == vector)
        }
    }

    @Test("In a text of 300 bytes, a change of any byte changes the hash")
    func long() {
        var text = [UInt8](repeating: 7, count: 300)
        var seen: Set<UInt64> = [Self.hash.hash(text.span, in: text.indices)]
        for index in text.indices {
            text[index] = 8
            seen.insert(Self.hash.hash(text.span, in: text.indices))
            text[index] = 7
        }
        // 300 and 44 have the same lowest byte, but texts of these lengths have different hashes.
        seen.insert(Self.hash.hash(text.span, in: 0..<44))
        #expect(seen.count == 302)
    }
}
