import RefreshConfiguration
import RefreshProtocol
import Testing
import WireContract

/// Compares the JSON schema of the configuration with the code that reads the configuration. The
/// schema's validator reads JSON, and the daemon reads YAML. The texts of these tests are JSON,
/// which is also YAML.
@Suite("The schema of the configuration")
struct ConfigurationSchemaTests {
    private static let hash = String(repeating: "5e", count: 32)
    private static let page = #""paging":"page""#
    private static let http =
        #""backend":"http","url":"http://127.0.0.1:9/a?page={page}","paging":"page""#

    private static func isRead(_ text: String) -> Bool {
        (try? ConfigurationFile(text: text, path: "refreshd.yaml")) != nil
    }

    private static func keepsSchema(_ text: String) throws -> Bool {
        let schema = try SchemaValidator(JSONValue(parsing: ConfigurationSchema.text))
        return schema.mismatch(in: try JSONValue(parsing: text)) == nil
    }

    private static func feed(_ members: String) -> String { #"{"feeds":{"a":{\#(members)}}}"# }

    static let valid: [String] = [
        #"{}"#, #"{"loops":256}"#, #"{"demo":true}"#, #"{"listen":"127.0.0.1:0"}"#,
        #"{"listen":["127.0.0.1:0","[::1]:8"],"admin":"localhost:9"}"#, #"{"proxies":[]}"#,
        #"{"auth":{"mode":"none"},"proxies":["10.0.0.0/8","::1"]}"#,
        #"{"auth":{"mode":"http","url":"http://127.0.0.1:9/?a=b","forward":["x-tenant"]}}"#,
        #"{"tokens":[{"name":"a","sha256":"\#(hash)","may":["measure","work"]}]}"#,
        #"{"resume":{"stateFolder":"s","snapshots":false}}"#,
        #"{"resume":{"keys":[{"id":"k-1_A","file":"k"}]}}"#, #"{"drain":{"delayMs":0}}"#,
        #"{"cluster":{"name":"a-1_b","servers":["nats://10.0.0.1:4222","nats://[::1]"]}}"#,
        #"{"cluster":{"name":"a","servers":"tls://b","node":"W.1","connectTimeoutMs":100}}"#,
        #"{"origins":["https://a.example:8","HTTP://b"]}"#, #"{"limits":{"memoryBytesMax":0}}"#,
        #"{"log":{"level":"info","format":"json"}}"#, #"{"journal":"j","journalOnRequest":"k"}"#,
        feed(#""backend":"demo""#), feed(#""backend":"demo","cluster":false"#), feed(http),
        feed(http + #","forward":["accept-language","a_b"]"#),
        feed(http + #","method":"POST","body":{"p":"{page}","n":null}"#),
        feed(http + #","parameters":["q"]"#), feed(http + #","parameters":{"q":"integer"}"#),
        feed(http + #","cache":{"lifetimeMs":1000},"shared":true,"itemKey":"/id""#),
        feed(#""backend":"file","path":"a.csv","format":"csv","size":1000,\#(page)"#),
        feed(#""backend":"exec","command":["/bin/cat"],"paging":"none""#),
        feed(#""backend":"worker","paging":"none""#),
        feed(#""backend":"script","steps":[{"generate":3},{"hang":true}],\#(page)"#),
    ]

    static let invalid: [String] = [
        #"[]"#, #"{"zebra":1}"#, #"{"loops":0}"#, #"{"loops":257}"#, #"{"loops":"2"}"#,
        #"{"loops":1.5}"#, #"{"loops":null}"#, #"{"demo":"yes"}"#, #"{"demo":1}"#,
        #"{"listen":[]}"#, #"{"listen":"8080"}"#, #"{"listen":{}}"#, #"{"listen":""}"#,
        #"{"proxies":["a b"]}"#, #"{"proxies":["example.org"]}"#, #"{"proxies":"10.0.0.1"}"#,
        #"{"auth":{}}"#, #"{"auth":{"mode":"some"}}"#, #"{"auth":"none"}"#,
        #"{"auth":{"mode":"http","url":"ftp://a"}}"#,
        #"{"auth":{"mode":"http","url":"http://127.0.0.1:9/ä"}}"#,
        #"{"auth":{"mode":"http","url":"http://127.0.0.1:9/","forward":["X-A"]}}"#,
        #"{"auth":{"mode":"http","url":"http://127.0.0.1:9/","forward":["a b"]}}"#,
        #"{"tokens":[{"name":"a","sha256":"12","may":["work"]}]}"#,
        #"{"tokens":[{"name":"a","sha256":"\#(hash)","may":[]}]}"#,
        #"{"tokens":[{"name":"a b","sha256":"\#(hash)","may":["work"]}]}"#,
        #"{"tokens":[{"name":"a","sha256":"\#(hash)","may":["read"]}]}"#,
        #"{"tokens":[{"name":"a","may":["work"]}]}"#,
        #"{"resume":{"keys":[]}}"#, #"{"resume":{"keys":[{"id":"a.b","file":"k"}]}}"#,
        #"{"resume":{"keys":[{"id":"a"}]}}"#, #"{"resume":{"snapshots":"no"}}"#,
        #"{"drain":{"delayMs":-1}}"#, #"{"drain":{"delayMs":600001}}"#, #"{"drain":5}"#,
        #"{"cluster":{}}"#, #"{"cluster":{"name":"a"}}"#, #"{"cluster":"production"}"#,
        #"{"cluster":{"name":"A","servers":["nats://b"]}}"#,
        #"{"cluster":{"name":"a","servers":[]}}"#,
        #"{"cluster":{"name":"a","servers":["nats://u:p@b"]}}"#,
        #"{"cluster":{"name":"a","servers":["http://b"]}}"#,
        #"{"cluster":{"name":"a","servers":["nats://b"],"node":"a b"}}"#,
        #"{"cluster":{"name":"a","servers":["nats://b"],"connectTimeoutMs":99}}"#,
        #"{"cluster":{"name":"a","servers":["nats://b"],"tls":{"cert":"c"}}}"#,
        #"{"origins":["a.example"]}"#, #"{"origins":["https://a/b"]}"#,
        #"{"origins":["https://*.a"]}"#, #"{"limits":{"frameBytesMax":12}}"#,
        #"{"limits":{"frameBytesMx":5000}}"#, #"{"log":{"level":"loud"}}"#, #"{"journal":""}"#,
        #"{"tls":{"key":"a"}}"#, #"{"indicators":{"a b":{"file":"x"}}}"#,
        #"{"indicators":{"a":{}}}"#, #"{"feeds":{"a b":{"backend":"demo"}}}"#,
        feed(#""paging":"page""#), feed(#""backend":"http","paging":"page""#),
        feed(#""backend":"http","url":"//a","paging":"page""#),
        feed(#""backend":"http","url":"http://127.0.0.1:9/ä","paging":"page""#),
        feed(http + #","zzz":1"#), feed(http + #","path":"a""#),
        feed(http + #","forward":["A"]"#), feed(http + #","forward":["a b"]"#),
        feed(http + #","cluster":"a""#), feed(http + #","size":0"#), feed(http + #","first":2"#),
        feed(http + #","calls":0"#),
        feed(http + #","shared":"yes""#), feed(http + #","itemKey":"id""#),
        feed(http + #","parameters":{"q":"date"}"#), feed(http + #","retry":{"zzz":1}"#),
        feed(#""backend":"exec","command":[],"paging":"none""#),
        feed(#""backend":"script","steps":[],\#(page)"#),
        feed(#""backend":"demo","paging":"cursor""#),
    ]

    @Test("A configuration that the daemon accepts is valid by the schema", arguments: valid)
    func taken(text: String) throws {
        #expect(Self.isRead(text))
        #expect(try Self.keepsSchema(text))
    }

    @Test("A configuration that the daemon rejects is invalid by the schema", arguments: invalid)
    func refused(text: String) throws {
        #expect(!Self.isRead(text))
        #expect(try !Self.keepsSchema(text))
    }
}
