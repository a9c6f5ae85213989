internal import Cryptography
internal import RefreshBroker
package import RefreshProtocol
package import RefreshSession
internal import Synchronization

/// Seals sessions with AES-256-GCM, and opens them again.
///
/// A sealed text is `v2.KEY.BASE64URL`. The last part contains the salt of the derived key, the
/// nonce, the ciphertext and the tag. The other two parts are authenticated too. Texts of the older
/// version `v1` are opened as well. They have no salt, and were sealed with a key of the ring, not
/// with a derived key.
package final class SnapshotSeal: SnapshotSealing {
    private static let version = "v2"
    private static let oldVersion = "v1"
    /// The largest accepted ratio of the size of a text to its compressed size. A session with many
    /// equal views comes near this ratio.
    private static let ratioMax = 128
    /// Bytes of salt, nonce and tag.
    private static let frameCount =
        DerivedKey.saltCount + AES256GCM.nonceCount + AES256GCM.tagCount

    private let bounds: Mutex<Limits>
    private let keys: Mutex<SealingState>
    /// The broker's hash function of item keys. It stays the same when the sealing keys change.
    private let itemHash: SipHash
    private let wallMilliseconds: @Sendable () -> Int64

    /// `wallMilliseconds` returns the wall-clock time, in milliseconds since 1970, UTC.
    package init(
        _ ring: KeyRing, limits: Limits,
        wallMilliseconds: @escaping @Sendable () -> Int64 = WallClock.nowMilliseconds
    ) {
        keys = Mutex(SealingState(ring))
        bounds = Mutex(limits)
        self.wallMilliseconds = wallMilliseconds
        itemHash = ring.itemHash
    }

    /// Replaces the keys. The hash function of item keys stays the same.
    package func replaceKeys(with ring: KeyRing) {
        let state = SealingState(ring)
        keys.withLock { $0 = state }
    }

    /// The current keys.
    package var currentKeys: KeyRing { keys.withLock { $0.ring } }

    /// Replaces the limits.
    package func replaceLimits(with limits: Limits) { bounds.withLock { $0 = limits } }

    private var limits: Limits { bounds.withLock { $0 } }

    private static func packing(_ limits: Limits) -> SnapshotPacking {
        SnapshotPacking(textBytesMax: limits.snapshotBytesMax * ratioMax)
    }

    package func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
        let key = keys.withLock { $0.nextKey() }
        let limits = limits
        let head = "\(Self.version).\(key.id)."
        // Each character of base64url encodes six bits, and the text has no padding.
        let room = (limits.snapshotBytesMax - head.utf8.count) * 3 / 4 - Self.frameCount
        var snapshot = snapshot
        snapshot.itemHash = itemHash
        snapshot.sealedAt = SealedMoment(wallMilliseconds: wallMilliseconds(), instant: now)
        guard let packed = Self.packing(limits).packed(snapshot, most: room),
            let bytes = AES256GCM.seal(
                packed, by: key.secret, authenticating: Array(head.utf8))
        else { return nil }
        return SealedText(
            text: head + Base64URL.text(of: key.salt + bytes), expiresMs: limits.snapshotLifetimeMs)
    }

    package func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot {
        guard var snapshot = unsealed(text), snapshot.session.name.hasBytes(of: claim.session),
            let sealedAt = snapshot.sealedAt
        else { throw .snapshotInvalid }
        guard snapshot.subject.hasBytes(of: claim.subject) else { throw .otherSubject }
        guard
            SHA256.areEqual(snapshot.tokenHash, SHA256.digest(of: Array(claim.token.utf8)))
        else { throw .wrongToken }
        let wall = wallMilliseconds()
        let lifetime = Int64(limits.snapshotLifetimeMs)
        let (age, isBeyond) = wall.subtractingReportingOverflow(sealedAt.wallMilliseconds)
        // The wall clock may show an earlier time than at the sealing. If the difference is more
        // than one lifetime, the snapshot is refused, because it would stay valid for more than two
        // lifetimes.
        guard !isBeyond, age >= -lifetime else { throw .snapshotInvalid }
        guard age <= lifetime else { throw .snapshotExpired }
        snapshot.shift(
            byMicroseconds: sealedAt.shift(to: now, wallMilliseconds: wall))
        snapshot.convertItemHashes(to: itemHash)
        return snapshot
    }

    /// Returns the content of an authentic text; nil if the text is not authentic.
    private func unsealed(_ text: String) -> SessionSnapshot? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.bytes(of: parts[2]) else { return nil }
        let secret: SymmetricKey?
        let sealed: ArraySlice<UInt8>
        if parts[0].utf8.elementsEqual(Self.version.utf8) {
            guard bytes.count >= Self.frameCount else { return nil }
            let salt = Array(bytes.prefix(DerivedKey.saltCount))
            secret = keys.withLock { $0.key(named: parts[1], salt: salt)?.secret }
            sealed = bytes.dropFirst(DerivedKey.saltCount)
        } else if parts[0].utf8.elementsEqual(Self.oldVersion.utf8) {
            secret = keys.withLock { $0.ring.key(named: parts[1])?.secret }
            sealed = bytes[...]
        } else {
            return nil
        }
        guard let secret,
            let packed = AES256GCM.open(
                sealed, by: secret, authenticating: Array("\(parts[0]).\(parts[1]).".utf8))
        else { return nil }
        return Self.packing(limits).unpacked(packed)
    }
}
