import Cryptography
import Foundation
import RefreshEngine
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession
@testable import SealedSnapshots

/// The properties of every content of a snapshot that was sealed with the right key. The input is a
/// text up to a zero byte, followed by the hashes of items.
enum SnapshotProperties {
    private static let packing = SnapshotPacking(textBytesMax: 1 << 20)

    static func check(_ input: [UInt8]) {
        let text = input.prefix { $0 != 0 }
        guard let packed = packed(Array(text), items: Array(input.dropFirst(text.count + 1))),
            let snapshot = packing.unpacked(packed)
        else { return }
        if let again = packing.packed(snapshot, most: 1 << 24) {
            require(
                packing.unpacked(again) == snapshot,
                "a packed snapshot is unpacked as the same snapshot")
        }
        guard let sealed = sealed(packed) else { return }
        resume(snapshot, sealed)
    }

    /// Returns the fuzzer's input from which this snapshot results.
    static func plain(_ snapshot: SessionSnapshot) -> [UInt8]? {
        guard let packed = packing.packed(snapshot, most: 1 << 24) else { return nil }
        // The first nine bytes contain the lengths. The deflated text, the hash of the token and
        // the hashes of items follow.
        let number = { (start: Int) in
            (0..<4).reduce(0) { $0 | Int(packed[start + $1]) << ($1 * 8) }
        }
        let end = 9 + number(5)
        let text = Deflate.inflated(
            packed[9..<end], dictionary: SnapshotDictionary.bytes, most: number(1))
        return text.map { $0 + [0] + packed[(end + 32)...] }
    }

    /// Packs any text in the format of `SnapshotPacking`.
    static func packed(_ text: [UInt8], items: [UInt8]) -> [UInt8]? {
        guard let deflated = Deflate.deflated(text, dictionary: SnapshotDictionary.bytes)
        else { return nil }
        return [1] + lowestFirst(UInt32(text.count)) + lowestFirst(UInt32(deflated.count))
            + deflated + SHA256.digest(of: Array(ReceptionWorld.token.utf8)) + items
    }

    private static func lowestFirst(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func sealed(_ packed: [UInt8]) -> String? {
        let head = "v2.\(ReceptionWorld.key.id)."
        let key = DerivedKey(
            ReceptionWorld.key, salt: [UInt8](repeating: 9, count: DerivedKey.saltCount))
        let bytes = AES256GCM.seal(
            packed, by: key.secret, nonce: [UInt8](repeating: 5, count: AES256GCM.nonceCount),
            authenticating: Array(head.utf8))
        return bytes.map { head + Base64URL.text(of: key.salt + $0) }
    }

    /// Resumes the session, and acts on its views as a client would.
    private static func resume(_ snapshot: SessionSnapshot, _ sealed: String) {
        let received = snapshot.session.views.compactMap { view -> LoadID? in
            guard let feed = view.feed, feed.delivered > 0 else { return nil }
            return LoadID(generation: view.engine.generation, number: feed.delivered)
        }
        let resume: [String: Any] = [
            "session": snapshot.session.name, "token": ReceptionWorld.token, "ack": 0,
            "received": received.map(\.description), "snapshot": sealed,
        ]
        for (mode, hasFeatures) in [
            ("plain", false), ("plain", true), ("stream", true), ("local", false),
        ] {
            var hello: [String: Any] = [
                "type": "hello", "protocol": 1, "frames": mode, "snapshots": true,
                "resume": resume,
            ]
            if hasFeatures { hello["features"] = ["query"] }
            guard let frame = frame(hello) else { return }
            let views = snapshot.session.views.prefix(3).map(\.id.description)
            let sentTexts = sentTexts(to: frame, views, hasFeatures: hasFeatures)
            require(
                self.sentTexts(to: frame, views, hasFeatures: hasFeatures) == sentTexts,
                "the same frame causes the same messages twice")
        }
    }

    /// Returns all messages that the daemon sends after this `hello` and after further actions of
    /// the client.
    private static func sentTexts(
        to hello: [UInt8], _ views: [String], hasFeatures: Bool
    ) -> [String] {
        let world = ReceptionWorld()
        // The first session of a world has the name that the snapshots of the corpus contain. It is
        // closed, so the daemon does not have the session of the snapshot.
        world.close(world.connect().session)
        let (session, line) = world.connect()
        world.send(hello, by: session, on: line)
        act(in: world, session, line, views: views, hasFeatures: hasFeatures)
        world.close(session)
        world.goOn()
        return line.sentTexts
    }

    private static func act(
        in world: ReceptionWorld, _ session: Session, _ line: ReceptionWorld.Line,
        views: [String], hasFeatures: Bool
    ) {
        for view in views {
            // These sequence numbers are larger than any that the session has handled.
            let inputs: [[String: Any]] = [
                ["type": "scroll", "offset": 0, "t": 1, "phase": "began"],
                ["type": "scroll", "offset": -90, "t": 20, "phase": "dragging"],
                ["type": "scroll", "offset": -90, "t": 40, "phase": "ended", "velocity": 0],
                ["type": "loadMore"], ["type": "cancel", "edge": "bottom"], ["type": "refresh"],
                ["type": "geometry", "content": ["width": 390, "height": 9000]],
                ["type": "reset"], ["type": "snapshot"],
            ]
            let featureInputs: [[String: Any]] = [
                ["type": "configure", "top": ["depth": "keep", "pollMs": 20_000]],
                ["type": "loadMore"], ["type": "refresh"], ["type": "disappear"],
                ["type": "configure", "parameters": ["q": "a"], "debounceMs": 100],
                [
                    "type": "geometry", "content": ["width": 390, "height": 90],
                    "anchor": ["id": "a", "position": 40],
                ],
                ["type": "configure", "parameters": [String: String](), "shown": "clear"],
                ["type": "refresh"], ["type": "appear"],
            ]
            for (index, input) in (inputs + (hasFeatures ? featureInputs : [])).enumerated() {
                var message = input
                (message["view"], message["seq"]) = (view, 9_007_199_254_740_000 + index)
                guard let frame = frame(message) else { continue }
                world.send(frame, by: session, on: line)
                if index % 3 == 2 { world.goOn() }
            }
        }
        world.goOn()
    }

    private static func frame(_ message: [String: Any]) -> [UInt8]? {
        (try? JSONSerialization.data(withJSONObject: message)).map { Array($0) }
    }
}
