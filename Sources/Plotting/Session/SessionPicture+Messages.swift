/// The lane (horizontal strip of the picture) that shows messages as short vertical lines.
extension SessionPicture {
    var messageLane: SessionLane {
        let row = 20.0
        return SessionLane(name: "messages", height: 2 * row) { top in
            let middle = top + row
            let ticks = recording.messages.map { message -> String in
                let x = scale.x(message.t)
                let isClient = message.sender == .client
                let isSample = message.type == "scroll" || message.type == "pan"
                let length = isSample ? row * 0.5 : row * 0.85
                let color =
                    message.isError
                    ? SessionPalette.failure
                    : isClient ? SessionPalette.touch : SessionPalette.refresh
                let hint = "\(message.sender.rawValue): \(message.type)"
                return "<g><title>\(SVGText("\(TimeScale.label(message.t)) \(hint)"))</title>"
                    + line(
                        x1: x, y1: middle, x2: x, y2: isClient ? middle - length : middle + length,
                        color: color, width: 1.2) + "</g>"
            }
            return ticks.joined()
                + text(
                    "client ↑", x: left - 6, y: middle - 6, size: 10, isFaint: true, anchor: "end")
                + text(
                    "daemon ↓", x: left - 6, y: middle + 14, size: 10, isFaint: true, anchor: "end")
        }
    }
}

extension SessionRecording {
    /// The texts below the title.
    var facts: [String] {
        let client = messages.filter { $0.sender == .client }.count
        return [
            "refreshd \(server)", started, TimeScale.label(duration),
            "\(client) messages of the client, \(messages.count - client) of the daemon",
            end,
        ]
    }
}
