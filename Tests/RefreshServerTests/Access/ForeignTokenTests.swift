import Testing

@testable import RefreshServer
@testable import RefreshSession

/// Tokens that jwt-kit 5.7.1 has signed, and a key set that it has written.
@Suite("JSON Web Tokens from another library")
struct ForeignTokenTests {
    static let keySet = #"""
        {"keys":[{"kty":"RSA","n":"mBu9fa13BEoDTtcJIMdHzSg41BaWVWgXQsVTDWI_980VZ3bBF6G\#
        fPnn4_clsOPXNKjrzOhR-A-As72CRVyj9gCimWqWR_HM297yQJTkQGlxifhqVyFSXbMpLUbu91kXgF\#
        u1s6PzCyP4b7tkvdOuFS_6_jckeaPAMXhOZ8MnQBrCyAaar06x9LqOweiC5ZiWUF5mv4ScBRqW7wYj\#
        T99RDGo0GrZf3wzdnyoUqnBCD1pdm4GfTbhJ2aZ91FPOJC0-jZrn98o8r8rXyLqSFIVih-6Plv4Kzk\#
        oLlhGQamqZYHrN84QoLB5eI1BwUY2jgCx-LTL-PAO2QmEDfjqbqaGMOWQ","e":"AQAB","kid":"r\#
        sa-1"},{"kty":"EC","crv":"P-256","x":"1zhFZ7xdIKoBE9ZPdLMs-cOo2YsJDun_xohOU5do\#
        -rI","y":"ZCRlXoKzSG2Yk7zJH1Dk5k0T8kOZPocpgwXOCnceRUc","kid":"ec-1"},{"kty":"o\#
        ct","k":"YSBjYW5hcnkgdGhhdCBzaW5ncyBpbiBldmVyeSBtaW5lIGl0IGlzIGxldCBpbnRv","ki\#
        d":"hs-1"}]}
        """#

    /// The tokens are signed with HS256, RS256 and ES256.
    static let tokens = [
        """
        eyJhbGciOiJIUzI1NiIsImtpZCI6ImhzLTEiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJhbm5hIiwiYXV\
        kIjoibGlzdHMuZXhhbXBsZS5vcmciLCJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnIiwiZXhwI\
        joxODAwMDAwMDYwfQ.mR9mmdZ-W1Nhl1SIzm0MHaiLuY28xxjEG2CDNhY8XbE
        """,
        """
        eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIiwidHlwIjoiSldUIn0.eyJzdWIiOiJhbm5hIiwiYX\
        VkIjoibGlzdHMuZXhhbXBsZS5vcmciLCJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnIiwiZXhw\
        IjoxODAwMDAwMDYwfQ.d86W_8Vs0R9NrLRUWxYN-E2CqaSbJQcdgEU73T0yZHKyme71qAtGTUyzaHU\
        3-1bwXfxNLGb-XaBwaJTyW7FmZ7JoRNsbatVbcrTcnN3sIxZLpbPcBJoxKFMhxCi6dvhKVx8fdnPxe\
        p3Qe4nKbqY8QNzDfDq3jId8q60sbYBNDmsp88-aUA7sYyIrX-HdOplo4b_Wxk-yzTmex-y-2wMA0cE\
        T7WjZzkDk-0nAIrfMiyFJJq9jyIIAKkvhRN-_QY0hxH2XWvMpBSP6lU94zEiHwjq-jJphr9kQEZ4js\
        UVFcJ163JyCE1jI58fBD7qDlmcJjIRpDRBipESnuhHejsKUdw
        """,
        """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJhbm5hIiwiYXV\
        kIjoibGlzdHMuZXhhbXBsZS5vcmciLCJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUub3JnIiwiZXhwI\
        joxODAwMDAwMDYwfQ.vBmFHyx0H6oGs618dzQMPncJdf2CMoGmEvMCuYJRJrEBifjcfOxWr49JlEOU\
        2D_gOoNy9Qn3BrA8brWZgMCqGg
        """,
    ]

    @Test("A token is accepted if the key set contains its key", arguments: tokens)
    func known(token: String) async throws {
        let access = try WebTokenTests.access(keys: Self.keySet)
        #expect(await access.verdict(on: token) == WebTokenTests.anna())
    }

    @Test("A token is refused if the key set has other keys", arguments: tokens)
    func unknown(token: String) async throws {
        let access = try WebTokenTests.access(
            keys: TokenMint.keySet(withSecret: true).replacing(
                TokenMint.base64URL(Array(TokenMint.secret.utf8)),
                with: TokenMint.base64URL(Array(TokenMint.secret.uppercased().utf8))))
        #expect(await access.verdict(on: token) == .refused(.signature))
    }

    @Test("A token with the signature of another token is refused", arguments: tokens, tokens)
    func swapped(token: String, other: String) async throws {
        guard token != other else { return }
        let access = try WebTokenTests.access(keys: Self.keySet)
        let signature = try #require(other.split(separator: ".").last)
        let forged = token.split(separator: ".").prefix(2).joined(separator: ".") + "." + signature
        #expect(await access.verdict(on: forged) == .refused(.signature))
    }
}
