import RefreshProtocol
import Testing

@Suite struct ByteBufferTests {
    @Test("A buffer grows without losing a byte", arguments: [0, 16])
    func growth(_ headroom: Int) {
        var out = ByteBuffer(headroom: headroom, capacity: 1)
        var wanted: [UInt8] = []
        for index in 0..<300 {
            out.append(UInt8(truncatingIfNeeded: index))
            out.append(literal: "static" as StaticString)
            out.append("text é")
            out.append([1, 2, 3] as [UInt8])
            out.append([] as [UInt8])
            out.append(UInt64(index))
            out.append(Double(index) / 4)
            wanted += [UInt8(truncatingIfNeeded: index)] + Array("statictext é".utf8) + [1, 2, 3]
            wanted += Array("\(index)".utf8)
            wanted += Array("\(Double(index) / 4)".replacing(".0", with: "").utf8)
        }
        #expect(out.bytes == wanted && out.count == wanted.count)
    }

    @Test("After `removeAll`, the buffer is empty and can be filled again")
    func removal() {
        var out = ByteBuffer()
        out.append("abc")
        out.removeAll()
        #expect(out.count == 0 && out.bytes == [])
        out.append(true)
        #expect(String(decoding: out.bytes, as: UTF8.self) == "true")
    }

    @Test("Bytes that are written into the headroom do not change the payload")
    func headroom() {
        var out = ByteBuffer(headroom: 4, capacity: 2)
        out.append("payload")
        let payload = unsafe out.payload
        if let start = payload.baseAddress {
            for offset in 1...4 { unsafe start[-offset] = 0xFF }
        }
        let sum = unsafe payload.reduce(0) { $0 + Int($1) }
        #expect(sum == "payload".utf8.reduce(0) { $0 + Int($1) })
        #expect(out.bytes == Array("payload".utf8))
    }

    @Test("Prepared texts of every length are appended completely, followed by numbers")
    func preparedTexts() {
        var texts = PreparedTexts()
        var known: [(PreparedTexts.Text, [UInt8])] = []
        for length in 0...100 {
            let bytes = (0..<length).map { UInt8(0x41 + ($0 + length) % 26) }
            var text = ByteBuffer()
            text.append(bytes)
            known.append((texts.add(text), bytes))
        }
        for (text, bytes) in known {
            #expect(texts.bytes(of: text) == bytes)
            var out = ByteBuffer(headroom: 3, capacity: 1)
            out.append(text, of: texts)
            #expect(out.bytes == bytes)
            out.append(text, of: texts, tenThousandths: -12_050)
            #expect(out.bytes == bytes + bytes + Array("-1.205".utf8))
            if bytes.count > 1 {
                out.append(text.dropFirst(2), of: texts)
                #expect(out.bytes.suffix(bytes.count - 2) == bytes.dropFirst(2))
            }
            out.truncate(to: bytes.count)
            #expect(out.bytes == bytes)
        }
    }
}
