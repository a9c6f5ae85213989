import Foundation
import RefreshBroker
import RefreshProtocol

@testable import ScenarioKit

/// A recorded trace of an original library (an iOS library that a profile reproduces), applied to
/// the list of a thin client. Events that concern only the original's own platform are skipped and
/// counted.
struct LawTrace {
    let name: String
    let isHorizontal: Bool
    let events: [JSONValue]
    private let trace: JSONValue

    /// Returns the traces of the fixtures, or of the folder in `ORACLE_DIR`.
    static func all() throws -> [LawTrace] {
        let named = ProcessInfo.processInfo.environment["ORACLE_DIR"].map { URL(filePath: $0) }
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "RefreshEngineTests/Fixtures/oracle")
        let folder = (named ?? fixtures).appending(path: "traces")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.sorted().map {
                try LawTrace(
                    JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: $0)))))
            }
    }

    private init(_ trace: JSONValue) {
        self.trace = trace
        name = trace["name"]?.string ?? ""
        isHorizontal = trace["geometry"]?["direction"]?.string == "horizontal"
        events = trace["events"]?.array ?? []
    }

    /// The profiles with which the trace can be played.
    var profiles: [String] {
        (trace["peers"]?.array ?? []).compactMap(\.string).flatMap { peer in
            peer == "mrefresh" ? ["mrefresh", "mrefresh2"] : [peer]
        }
    }

    /// Returns the view of the trace with this profile.
    func attach(_ profile: String) -> RandomAttach {
        var random = SeededRandom(seed: 0)
        var attach = RandomAttach(&random, pans: false)
        attach.isHorizontal = isHorizontal
        attach.isMirrored = false
        attach.isRightToLeft = false
        attach.hasFeed = false
        attach.isPlatform = false
        let sizes = trace["geometry"]
        attach.viewport = length(sizes?["viewport"])
        attach.content = length(sizes?["contentSize"])
        let edges = isHorizontal ? ("leading", "trailing") : ("top", "bottom")
        (attach.refreshEdge, attach.loadMoreEdge) = edges
        attach.members = [
            .init("view", .string("list")), .init("profile", .string(profile)),
            .init("axis", .string(isHorizontal ? "horizontal" : "vertical")),
            .init(
                "geometry",
                .object([
                    .init("viewport", attach.size(attach.viewport)),
                    .init("content", attach.size(attach.content)),
                    .init("insets", sizes?["contentInset"] ?? .null),
                    .init("safeArea", sizes?["safeArea"] ?? .null),
                ])),
            .init("offset", .number(offset(sizes?["initialOffset"]))),
        ]
        if profile != "iqpulltorefresh" { attach.members.append(.init(edges.1, .null)) }
        return attach
    }

    func length(_ size: JSONValue?) -> Double {
        size?[isHorizontal ? "width" : "height"]?.number ?? 0
    }

    func offset(_ point: JSONValue?) -> Double { point?[isHorizontal ? "x" : "y"]?.number ?? 0 }
}
