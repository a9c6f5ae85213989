internal import Crypto
internal import Foundation
internal import RefreshBroker
package import RefreshProtocol
internal import Synchronization

/// Seals sessions with AES-256-GCM, and opens them again: `v1.KEY.BASE64URL`, where the last part
/// is nonce, ciphertext and tag, and the parts before it are authenticated with them.
package final class SnapshotSeal: SnapshotSealing {
    private static let version = "v1"
    /// A text may shrink by so much when it is deflated, and no more. Many views alike do.
    private static let ratioMax = 128
    /// Bytes of nonce and tag.
    private static let frameCount = 12 + 16

    private let bounds: Mutex<Limits>
    private let ring: Mutex<KeyRing>
    /// The hash that the broker has, whatever keys come later.
    private let itemHash: SipHash
    private let wallMilliseconds: @Sendable () -> Int64
    let log: DaemonLog

    /// `wallMilliseconds` tells the world's time, since 1970, UTC.
    package init(
        _ ring: KeyRing, limits: Limits, log: DaemonLog = .silent,
        wallMilliseconds: @escaping @Sendable () -> Int64 = WallClock.nowMilliseconds
    ) {
        self.ring = Mutex(ring)
        bounds = Mutex(limits)
        self.log = log
        self.wallMilliseconds = wallMilliseconds
        itemHash = ring.itemHash
    }

    /// Other keys from now on. The keys of items go on to be hashed as since the start.
    package func take(_ ring: KeyRing) { self.ring.withLock { $0 = ring } }

    /// The keys that hold.
    var present: KeyRing { ring.withLock { $0 } }

    /// Other limits from now on.
    package func take(_ limits: Limits) { bounds.withLock { $0 = limits } }

    private var limits: Limits { bounds.withLock { $0 } }

    private static func packing(_ limits: Limits) -> SnapshotPacking {
        SnapshotPacking(textBytesMax: limits.snapshotBytesMax * ratioMax)
    }

    package func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
        let key = ring.withLock { $0.sealing }
        let limits = limits
        let head = Self.head(key)
        // Of four characters each holds six bits, and the last ones that are not needed are left
        // out.
        let room = (limits.snapshotBytesMax - head.utf8.count) * 3 / 4 - Self.frameCount
        var snapshot = snapshot
        snapshot.itemHash = itemHash
        snapshot.sealedAt = SealedMoment(wallMilliseconds: wallMilliseconds(), instant: now)
        guard let packed = Self.packing(limits).packed(snapshot, most: room),
            let sealed = try? AES.GCM.seal(
                packed, using: key.secret, authenticating: Array(head.utf8)),
            let bytes = sealed.combined
        else { return nil }
        return SealedText(
            text: head + Base64URL.text(of: Array(bytes)), expiresMs: limits.snapshotLifetimeMs)
    }

    package func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot {
        guard var snapshot = unsealed(text), snapshot.name.hasBytes(of: claim.session),
            let sealedAt = snapshot.sealedAt
        else { throw .snapshotInvalid }
        guard snapshot.subject.hasBytes(of: claim.subject) else { throw .otherSubject }
        guard
            SHA256.areEqual(snapshot.tokenHash, SHA256.digest(of: Array(claim.token.utf8)))
        else { throw .wrongToken }
        let wall = wallMilliseconds()
        let lifetime = Int64(limits.snapshotLifetimeMs)
        let (age, isBeyond) = wall.subtractingReportingOverflow(sealedAt.wallMilliseconds)
        // One that comes from farther in the future could be used for longer than it may.
        guard !isBeyond, age >= -lifetime else { throw .snapshotInvalid }
        guard age <= lifetime else { throw .snapshotExpired }
        snapshot.shift(
            byMicroseconds: sealedAt.shift(to: now, wallMilliseconds: wall))
        snapshot.adopt(itemHash)
        return snapshot
    }

    /// What authentic text holds; nil for any other.
    private func unsealed(_ text: String) -> SessionSnapshot? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.elementsEqual(Self.version.utf8),
            let key = ring.withLock({ $0.key(named: parts[1]) }),
            let bytes = Base64URL.bytes(of: parts[2]),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let packed = try? AES.GCM.open(
                box, using: key.secret, authenticating: Array(Self.head(key).utf8))
        else { return nil }
        return Self.packing(limits).unpacked(Array(packed))
    }

    private static func head(_ key: SealingKey) -> String { "\(version).\(key.id)." }
}
