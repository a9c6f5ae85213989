import Foundation
import RefreshProtocol

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The initial corpora of snapshots: sessions that the daemon itself has sealed. They must be
/// generated anew when the format of snapshots changes.
enum SnapshotCorpus {
    /// The error if the daemon did not seal a session.
    private struct Unsealed: Error {
        var name: String
    }

    /// The name of each session, and the frames of its client.
    private static let talks: [(name: String, frames: [String])] = [
        ("empty", [#"{"type":"hello","protocol":1,"snapshots":true}"#]),
        ("refreshing", [HelloProperties.opening]),
        (
            "many-views",
            [
                #"{"type":"hello","protocol":1,"frames":"stream","snapshots":true,"headers":{"Accept-Language":"de"}}"#,
                view("a", "iqpulltorefresh", seq: 1), view("b", "mrefresh", seq: 2),
                view("ü", "default", seq: 3),
                #"{"type":"scroll","view":"a","seq":4,"t":10,"offset":-70,"phase":"dragging"}"#,
                #"{"type":"loadMore","view":"b","seq":5}"#,
            ]
        ),
        (
            "features",
            [
                #"{"type":"hello","protocol":1,"snapshots":true,"features":["query"]}"#,
                reader("list", #""initial":"load","top":{"depth":"keep","pollMs":30000}"#, seq: 1),
                reader("kept", #""initial":"kept","top":{"repeat":"newest"}"#, seq: 2),
                #"{"type":"loadMore","view":"list","seq":3}"#,
                #"{"type":"refresh","view":"list","seq":4}"#,
                #"{"type":"disappear","view":"list","seq":5}"#,
                #"{"type":"configure","view":"kept","seq":6,"parameters":{"q":"a"}}"#,
            ]
        ),
    ]

    private static func reader(_ id: String, _ members: String, seq: Int) -> String {
        """
        {"type":"attach","seq":\(seq),"view":"\(id)","profile":"default","feed":"news",\(members),
         "geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}}
        """
    }

    private static func view(_ id: String, _ profile: String, seq: Int) -> String {
        """
        {"type":"attach","seq":\(seq),"view":"\(id)","profile":"\(profile)","feed":"mails",
         "geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}}
        """
    }

    /// Writes the entries into the folders of `seal` and `snapshot`.
    static func write(into folder: URL) throws {
        for (name, frames) in talks {
            let world = ReceptionWorld()
            let (session, line) = world.connect()
            for frame in frames { world.send(Array(frame.utf8), by: session, on: line) }
            for (moment, isLater) in [("", false), ("-later", true)] {
                if isLater { world.goOn() }
                guard let sealed = world.sealed(session, on: line) else {
                    throw Unsealed(name: name)
                }
                try Data(sealed.text.utf8).write(
                    to: folder.appending(path: "seal/\(name)\(moment)"))
                try Data(sealed.plain).write(
                    to: folder.appending(path: "snapshot/\(name)\(moment)"))
            }
        }
    }
}
