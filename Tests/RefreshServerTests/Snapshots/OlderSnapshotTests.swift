import Cryptography
import RefreshProtocol
import Testing

@testable import RefreshServer
@testable import RefreshSession
@testable import SealedSnapshots

/// Snapshots that older versions of the daemon have sealed. A client may resume with one of them.
@Suite("Snapshots of older daemons")
struct OlderSnapshotTests {
    /// Two snapshots, sealed with swift-crypto 4.5.2: one with a key that has a name, and one with
    /// a key without a name.
    static let texts = [
        """
        v2.k1.z5nt_KU2k9OS2Jb8ShbW6-hYhSs1PLwj5WsPXligCqKMnYtH6aRic5qMqCi5EltFXQIsXNMU\
        kjtYqnbWvJo27zNihbdleCmJQkVrhEnEQdqORsraxrWdDZNQ2lsCkSSnV01jkhL4Hk0XbO-js2Kw7p\
        lwf1GJ1qIlvvwAGJW1h2s8mEgkC41-aD85dAxHoIGPO0xBfVxDFysyprtKVonW1oR5_AukV9hhSIsM\
        MMlnZNB-Eq1mvyohDXYVSeT4Mu15j1dM4k8z1yrOiB9dmPjFV2BOWEhkES_vb8zr2UDsKR7S76QjGT\
        ZPTxYg4MsLRyvx6xoxkSGhev5dCjoiZ1H2qK9hedBnj2XwvDws-RewTx9YSIwrP3p4XmXBmfAg5Joy\
        YT20TUH1tZwNEZge0d0Ygs7Q2yY4nOMFoLf2QowtRxR79KB92orNuCdSqKVLJiXKm19iXvV5dnvMiF\
        2dq6Ly0DGcLPvCWJUD551AkTCRMgqwAY0CXe_uNeMMDRGkHwm8L_6aLLd5NKiAvsaUoZH3WCYlYTuL\
        6nUR0_bOtByoiRRwBB8
        """,
        """
        v1.k1.C08lTJTjGy9KP8kcFWFN7Hv7nrur-k96FHohhsjQ1CfbVUaixxPUtpZgN35p6N0ZTADe8rQ2\
        ErI5fzYnGoyk8pfaI--KJ9OlRdTD-EGEB6nMNRb-74kNddDnL2UfluDG48KQdaHkes62UPDIuEKk6l\
        adOGKppbFZV4-tO-8rkovC-ZzHwl14S1pZFqNxX1jW6JKAYy68xAp_ywo1FVxmlMyV1eflGD3QwAmt\
        HJPvEwMc4Igy5_dWqvn4YerFmwntau-kI-gd15JwkmrOvQpNYgPRuhAUQm_C4tB9QE7eoe4JIgG-5o\
        BorrT-rip5vD_8nbZcBcRNPL3WeGx1Eqm5-j0cY98o2iedWRD_eKB0DYWRtRBvbUDoxlWvzXkWl9Oj\
        dAKMPlbW6a1TrM6DSxFCvuFat0su6e6XNoe1IAJItNvinHJ7m1uE132qwMNjo8d7U59-MKkSQEUfhk\
        d9YS5iHe5_CKsvDmykXnRioQjbQkrv0hz69uEroSAPsiJsl7Fec-b_x535WRnD8cNSOcLw86jUxw
        """,
        """
        v2.ced99135.cfX663UNtMKUFwxizevFCDnpRXzCnka4Bh9SZtYkrXmYp9JVXDb_qgM8wvEqQniCdl\
        OHuPmAUYNsVSpzUXAUftZWEMvLk_RXGxzCjVcqAJTUXrblJQs8tfZvMJlg266LIeffHCi328MBLl0h\
        DpfIFvHeDiVmQP58qF3-o8lZCLugEEEIB1J4r_bhNsIgiO9_KHf1H_acvCCzH5_m4vtpcg6unhiWFk\
        ytHybBXNPoCGG468VzgYemd06uXCgTYdeqK9PnEwYDYjOdhrc3K4a0XZacLjZdkUupU58hT3YyrZ-U\
        t5S3p1AIr0xg-ndReK0WHqqqd2QF5_ilEVI9b_YDwOxGL3ds06taN9eGeoxddgxHgBaa2EGPDZWZCd\
        mhMBcS1Wj19EF90ioRFOLU5idGKGwGkq78gOpCn12Tj0X8PS3ynsVWVzu12bjM-ctkPbFlHlHxsrmQ\
        A0XPNufFbGcHFtolsRwtHpZ3_7QM30ESYpwWPja_f3xQ1bq9xJ46aBPAbAZwCrTzplwIehdi7Jgrpn\
        QWKm5QKfU2oQcpCQsJfm8
        """,
        """
        v1.ced99135.gKov0sYimMm6qfSpX2T0tUKv4mPGX8_MCGtOxSLsF8cfz31V_Q10yofMk8_bjHCps5\
        dcRWYoA3jSb50_lwgiJVRlkVbvcf3lC1P_dJSNG36Il2WFP-cKiWLrpSf0rsIZK3sCi4WJLftzBjP-\
        9JSVqMGaHfQelO-XD2II1-IWigIEwHBIAJiS1Df5t1qVQI5q4ZacHgNOQazLXi-BUvLqwiJAJ2dhvo\
        BPXJ7gSrPcklBRPpe6rcM8fBAbyOBLlmfOawnvK0EtfsQS7Q8beE7NSDlBlz02SFo_Ypkqj_kxallT\
        aS9QIRUcH9hc8jePHDzmIWrJTYZsRADLg9H3kcNxWswUN_TaA-SUfLOaCp3Zv0yBYvrCL-hvL4PxqZ\
        w4vC9e5ASvyibKFh5eAH_X_PlTDjoAWwX4jrr_YpNEhmMUk3dOfqznMcml59LP3TNHGqkbbE2ODU8L\
        LdsFbKPo0wgniwLzDPNCguOVDNQTBppO4HfCagB2XvLKrhJL2UQNJp2_As0oKMD2bX4brzq4in0Zwg
        """,
    ]

    private static let ring = KeyRing(
        first: SealingKey(id: "k1", secret: SymmetricKey([UInt8](repeating: 1, count: 32))),
        others: [SealingKey(secret: SymmetricKey([UInt8](repeating: 2, count: 32)))])

    @Test("A snapshot of an older daemon is opened with its complete content", arguments: texts)
    func opens(text: String) throws {
        let seal = SnapshotSeal(Self.ring, limits: Limits()) { 1_795_262_400_000 }
        let now = Instant(milliseconds: 90_000)
        let claim = SnapshotClaim(session: "5f0c", token: "token", subject: "anna")
        let opened = try seal.open(text, for: claim, at: now)
        #expect(opened.session.views.map(\.id.description) == ["v0", "v1"])
        for view in opened.session.views {
            #expect(view.feed?.shownItems == [1, 2, .max])
        }
        #expect(throws: ResumeRefusal.wrongToken) {
            try seal.open(
                text, for: SnapshotClaim(session: "5f0c", token: "other", subject: "anna"), at: now)
        }
        let other = SnapshotSeal(.ephemeral(), limits: Limits()) { 1_795_262_400_000 }
        #expect(throws: ResumeRefusal.snapshotInvalid) {
            try other.open(text, for: claim, at: now)
        }
    }
}
