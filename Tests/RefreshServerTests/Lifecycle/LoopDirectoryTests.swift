import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The directory knows the hosts, and they know it.
@Suite("Directory of loops")
struct LoopDirectoryTests {
    @Test("Once it is closed its hosts go with who made them, and news come to nothing")
    func closed() {
        weak var host: SessionHost?
        let directory: LoopDirectory
        do {
            let world = HostWorld()
            directory = world.directory
            host = world.hosts[0]
            let client = world.connect()
            _ = client.open()
            client.hangUp()
            #expect(host != nil)
        }
        #expect(host == nil)
        directory.feedChanged("songs")
        directory.evictDetachedSessions {}
        #expect(directory.all.isEmpty)
    }
}
