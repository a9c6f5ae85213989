import Foundation
import RefreshClient
import RefreshClientDialer
import RefreshProtocol

/// The driver with which `refresh-probe conform --listen` tests the Swift client. Source:
/// docs/conformance.md, "Grading a client".
@main
struct SwiftClientDriver {
    /// The features of the client.
    static let abilities = [
        "scroll", "overscroll", "pan", "resume", "snapshots", "backend", "views", "reversed",
        "requests", "features", "queries", "anchors", "patches", "live",
        "edits", "sections", "rows",
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let address = arguments.first ?? ProcessInfo.processInfo.environment["REFRESH_DRIVER"] ?? ""
        guard let socket = LineSocket(address) else {
            FileHandle.standardError.write(Data("no connection to \(address)\n".utf8))
            exit(1)
        }
        let transport = try DialerTransport()
        let can = abilities.map { JSONValue.string($0) }
        socket.send(
            JSONValue.object([
                .init("driver", .number(1)), .init("client", .string("swift/1.0")),
                .init("can", .array(can)),
            ]).text)
        var user: SimulatedUser?
        for await line in socket.lines {
            guard let order = try? JSONValue(parsing: line) else { continue }
            var answer = JSONValue.object([.init("order", order["order"] ?? .null)])
            do {
                let action = order["do"]?.string ?? ""
                if action == "connect" || action == "reset" {
                    await user?.end()
                    user = action == "connect" ? SimulatedUser(order, transport: transport) : nil
                    await user?.start()
                } else {
                    try await user?.carryOut(action, order)
                }
                answer["shown"] = await user?.shown() ?? .object([])
            } catch let error as SimulatedUser.Cannot {
                answer["cannot"] = .string(error.reason)
            } catch {
                answer["error"] = .string("\(error)")
            }
            socket.send(answer.text)
        }
        exit(0)
    }
}
