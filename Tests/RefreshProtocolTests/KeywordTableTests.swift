import RefreshProtocol
import Testing

@Suite struct KeywordTableTests {
    @Test("Every word is found inside a longer text, and no damaged word is found")
    func words() {
        check(Field.self)
        check(MessageType.self)
        check(ScrollPhase.self)
        check(Cause.self)
        check(Edge.self)
        check(OptionField.self)
        check(Axis.self)
        check(EvaluationTrigger.self)
        check(LayoutDirection.self)
        check(Intent.self)
        check(PagingStyle.self)
        check(LoadResult.self)
    }

    @Test("No two cases have the same wire name")
    func names() {
        #expect(Set(Field.allCases.map(\.wireName)).count == Field.allCases.count)
        #expect(Field.protocol.wireName == "protocol")
        #expect(
            Set(OptionField.allCases.map(\.wireName)).count == OptionField.allCases.count)
        #expect(OptionField.insetDuration.wireName == "insetDuration")
        #expect(LayoutDirection.allCases.map(\.wireName) == ["ltr", "rtl"])
    }

    private func check<Word: CaseIterable & WireNamed & Sendable & Equatable>(_: Word.Type) {
        let table = KeywordTable<Word>()
        func find(_ name: [UInt8]) -> Word? {
            let text = [0x22, 0x61] + name + [0x61, 0x22]
            return table.keyword(in: text.span, at: 2..<2 + name.count)
        }
        let names = Set(Word.allCases.map { Array($0.wireName.utf8) })
        for word in Word.allCases {
            let name = Array(word.wireName.utf8)
            #expect(find(name) == word)
            for damaged in Self.damaged(name) where !names.contains(damaged) {
                if let found = find(damaged) {
                    Issue.record("\(damaged) was found as \(found)")
                }
            }
        }
        #expect(find([]) == nil)
        #expect(find(Array(repeating: 0x61, count: 16)) == nil)
        #expect(find(Array(repeating: 0x61, count: 17)) == nil)
    }

    /// The name with each bit changed, with a byte more or less, with NUL bytes, repeated, and
    /// reversed.
    private static func damaged(_ name: [UInt8]) -> [[UInt8]] {
        var all = [name + [0], [0] + name, name + [0x20], name + name, Array(name.dropLast())]
        all.append(name + Array(repeating: 0, count: max(16 - name.count, 1)))
        all.append(Array(name.reversed()) + [0x73])
        for place in name.indices {
            for bit in UInt8(0)..<8 {
                var damaged = name
                damaged[place] ^= 1 << bit
                all.append(damaged)
            }
            var shorter = name
            shorter.remove(at: place)
            all.append(shorter)
        }
        return all
    }
}
