import RefreshBroker

/// Messages of every type with random damage. The same seed gives the same messages.
struct HostileMessages {
    private var random: SeededRandom
    private var seq = 10

    init(seed: UInt64) {
        print("hostile messages: seed \(seed)")
        random = SeededRandom(seed: seed)
    }

    /// Returns the next frame. It is ASCII and never contains `bye`. Most frames are damaged, in
    /// one to three places. The others are valid.
    mutating func next() -> String {
        seq += 1
        var bytes = Array(Self.sound[Int.random(in: 0..<Self.sound.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) { damage(&bytes) }
        // The sequence number is inserted last. If a damaged number were too large, all later
        // messages would be stale.
        let frame = String(decoding: bytes, as: UTF8.self)
            .replacing("SEQ", with: String(seq))
        return frame.contains("bye") ? "{}" : frame
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes = Array("[".utf8) }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[place], at: place)
        case 3: bytes.removeLast(bytes.count - place)
        case 4:
            let end = Int.random(in: place..<bytes.count, using: &random)
            bytes.insert(contentsOf: bytes[place...end], at: place)
        case 5:
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
            bytes.insert(contentsOf: word.utf8, at: place)
        default:
            // Replaces a number by an absurd one.
            guard let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) })
            else { return }
            let word = Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)]
            bytes.replaceSubrange(digit...digit, with: word.utf8)
        }
    }

    private static let words = [
        "null", "true", "{", "}", "[", "]", "\"", ",", ":", "\\u0000", "\\ud800", "\\", "NaN",
        "Infinity", "[[[[[[[[[[[[[[[[[[[[", #""type":"scroll","#, #""seq":1,"#,
    ]

    private static let numbers = [
        "1e308", "-1e308", "1e309", "1e-400", "9007199254740993", "-1", "0", "0.1e1", "1e9",
        "4294967296", "-0", "99999999999999999999", "1.", "01",
    ]

    private static let sound = [
        #"{"type":"scroll","view":"list","seq":SEQ,"t":16.7,"offset":-30.5,"phase":"dragging"}"#,
        #"{"type":"scroll","view":"list","seq":SEQ,"offset":-61,"phase":"ended","velocity":-20}"#,
        #"{"type":"scroll","view":"list","seq":SEQ,"offset":3200,"phase":"decelerating","cause":"wheel"}"#,
        #"{"type":"scroll","view":"own","seq":SEQ,"offset":0,"phase":"idle"}"#,
        #"{"type":"pan","view":"own","seq":SEQ,"translation":120,"phase":"began"}"#,
        #"{"type":"pan","view":"own","seq":SEQ,"translation":180,"phase":"ended","velocity":5}"#,
        #"{"type":"geometry","view":"list","seq":SEQ,"viewport":{"width":390,"height":812},"content":{"width":390,"height":4000},"bars":{"status":20,"navigation":{"y":20,"height":44},"search":null}}"#,
        #"{"type":"attach","seq":SEQ,"view":"v3","profile":"uikit","top":{"length":80},"bottom":null,"paging":{"style":"offset","first":0,"size":10}}"#,
        #"{"type":"detach","view":"v3","seq":SEQ}"#,
        #"{"type":"refresh","view":"own","seq":SEQ,"cause":"key"}"#,
        #"{"type":"begin","view":"list","seq":SEQ}"#, #"{"type":"end","view":"list","seq":SEQ}"#,
        #"{"type":"loadMore","view":"own","seq":SEQ}"#,
        #"{"type":"retry","view":"own","seq":SEQ,"edge":"bottom"}"#,
        #"{"type":"cancel","view":"own","seq":SEQ}"#,
        #"{"type":"loadBegan","view":"own","seq":SEQ,"load":"2.1","accepted":true}"#,
        #"{"type":"loadProgress","view":"own","seq":SEQ,"load":"2.1","progress":0.5}"#,
        #"{"type":"loadFinished","view":"own","seq":SEQ,"load":"2.2","result":"success","count":50,"cursor":"c"}"#,
        #"{"type":"enable","view":"list","seq":SEQ,"edge":"top","enabled":true}"#,
        #"{"type":"configure","view":"list","seq":SEQ,"top":{"length":44,"trigger":"reach"},"bottom":{"mode":"user","fill":2}}"#,
        #"{"type":"attach","seq":SEQ,"view":"v4","profile":"mrefresh","axis":"horizontal","reversed":true,"attention":"everything","geometry":{"direction":"rtl","anchor":{"id":"m1","position":20}},"leading":{"intents":["finger","key"],"leadTime":null},"trailing":{"floor":{"length":200,"closing":0.5},"minVisible":300}}"#,
        #"{"type":"detach","view":"v4","seq":SEQ}"#,
        #"{"type":"geometry","view":"own","seq":SEQ,"offset":12,"anchor":{"id":"m1","position":900}}"#,
        #"{"type":"configure","view":"own","seq":SEQ,"paging":{"style":"offset","size":7},"top":{"floor":{"length":160,"timeout":400},"whileLoading":"queue","coolDown":50}}"#,
        #"{"type":"appear","view":"own","seq":SEQ}"#,
        #"{"type":"reset","view":"own","seq":SEQ,"edge":"bottom"}"#,
        #"{"type":"floor","view":"own","seq":SEQ,"open":true}"#,
        #"[{"type":"ping","t":1},{"type":"scroll","view":"list","seq":SEQ,"offset":1,"phase":"began"}]"#,
    ]
}
