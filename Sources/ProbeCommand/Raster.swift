import Foundation

/// Converts an SVG picture to PNG with the command-line tool of librsvg.
enum Raster {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The number of pixels for each point, so that the picture is sharp on current screens.
    private static let zoom = "2"

    static func write(_ svg: String, to path: String) throws {
        // The tool reads the SVG from a file. If both its input and its output were pipes, the tool
        // and `refresh-probe` could deadlock.
        let source = FileManager.default.temporaryDirectory
            .appendingPathComponent("refresh-probe-\(UUID().uuidString).svg")
        try Data(svg.utf8).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "rsvg-convert", "--zoom", zoom, "--format", "png", "--output", path, source.path,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: return
        case 127:
            throw Failure(description: "PNG requires rsvg-convert (Debian: librsvg2-bin)")
        case let status:
            throw Failure(description: "rsvg-convert ended with \(status)")
        }
    }
}
