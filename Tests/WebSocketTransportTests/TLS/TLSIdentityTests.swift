import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct TLSIdentityTests {
    private static let files = Result { try CertificateFolder.untilExit() }

    private func fault(
        _ certificate: [UInt8], _ key: [UInt8]
    ) -> TLSIdentityFault? {
        do throws(TLSIdentityFault) {
            _ = try TLSIdentity(certificate: certificate, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test("A certificate with its chain and its key is accepted, for both kinds of key")
    func good() throws {
        for kind in [CertificateFolder.Kind.curve, .rsa] {
            let pair = try Self.files.get().make("good-\(kind)", kind)
            #expect(fault(try pair.certificateBytes, try pair.keyBytes) == nil)
        }
    }

    @Test("An invalid certificate or key is refused with its reason")
    func faults() throws {
        let files = try Self.files.get()
        let one = try files.make("one")
        let other = try files.make("other")
        let certificate = try one.certificateBytes
        let key = try one.keyBytes
        #expect(fault([], key) == .certificateUnreadable)
        #expect(fault(Array("no certificate".utf8), key) == .certificateUnreadable)
        #expect(fault(key, key) == .certificateUnreadable)
        #expect(fault(Array(certificate.dropLast(100)), key) == .certificateUnreadable)
        #expect(fault(certificate, []) == .keyUnreadable)
        #expect(fault(certificate, certificate) == .keyUnreadable)
        #expect(fault(certificate, Array(key.prefix(120))) == .keyUnreadable)
        #expect(fault(certificate, try other.keyBytes) == .keyForeign)
        let expired = try files.make("expired", .expired)
        #expect(fault(try expired.certificateBytes, try expired.keyBytes) == .expired)
        let weak = try files.make("weak", .weak)
        guard case .unfit = fault(try weak.certificateBytes, try weak.keyBytes) else {
            Issue.record("a key of 512 bits was accepted")
            return
        }
        #expect(throws: Never.self) {
            try files.run("openssl pkey -in one.key -aes128 -passout pass:word -out locked.key")
        }
        let locked = CertificateFolder.Pair(
            certificate: one.certificate,
            key: one.key.replacing("one.key", with: "locked.key"))
        #expect(fault(certificate, try locked.keyBytes) == .keyEncrypted)
    }
}
