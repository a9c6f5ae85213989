import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The directory refers to the session host of each loop, and each host refers to the directory.
/// Closing the directory ends this reference cycle.
@Suite("Directory of loops")
struct LoopDirectoryTests {
    @Test("A closed directory keeps no host alive, and messages to its hosts are dropped")
    func closed() {
        weak var host: SessionHost?
        let directory: LoopDirectory
        do {
            let fixture = HostFixture()
            directory = fixture.directory
            host = fixture.hosts[0]
            let client = fixture.connect()
            _ = client.open()
            client.hangUp()
            #expect(host != nil)
        }
        #expect(host == nil)
        directory.feedChanged(FeedChange("songs"))
        directory.evictDetachedSessions {}
        #expect(directory.all.isEmpty)
    }
}
