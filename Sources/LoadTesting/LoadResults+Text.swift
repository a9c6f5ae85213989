internal import RefreshServer
package import ScenarioKit

extension LoadResults {
    /// Returns the report as a table with a column for each target. With two targets, another
    /// column shows by how many percent the second target differs from the first.
    package func text(painted: Tint.Painter) -> String {
        var lines = [painted(title, .strong)]
        for (index, target) in targets.enumerated() {
            lines.append(targets.count > 1 ? "\(Self.names[index])  \(target.url)" : target.url)
        }
        lines.append("")
        let rows = rows
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.cells.count > column ? $0.cells[column].count : nil }.max() ?? 0
        }
        for row in rows {
            let cells = zip(row.cells, widths).map { cell, width in
                String(repeating: " ", count: width - cell.count) + cell
            }
            let name = row.name.padding(to: Self.nameWidth)
            let line = ([name] + cells).joined(separator: "  ")
            lines.append(row.isProblem ? painted(line, .bad) : line)
        }
        lines.append("")
        lines.append(contentsOf: problemDetails)
        lines.append(painted(generatorCost, .faint))
        if isGeneratorAtItsLimit {
            lines.append(
                painted(
                    "The generator itself was late, or busy all the time, so the latencies include "
                        + "its own delays. Use more threads, less load, or a less busy machine.",
                    .doubtful))
        }
        return lines.joined(separator: "\n")
    }

    private static let names = ["A", "B"]
    private static let nameWidth = 26

    private struct Row {
        var name: String
        var cells: [String]
        var isProblem = false
    }

    /// The number of columns: the targets, and the difference.
    private var columns: Int { targets.count > 1 ? targets.count + 1 : 1 }

    private var title: String {
        let pace =
            switch pace {
            case .recorded(1, _): "open loop at the recorded pace"
            case .recorded(let speed, _):
                "open loop at \(Self.digits(speed)) times the recorded pace"
            case .rate(let rate): "open loop, \(Self.digits(rate)) messages/s each"
            case .closed: "closed loop"
            }
        let suffix = targets.count > 1 ? " each" : ""
        let threads = threads == 1 ? "1 thread" : "\(threads) threads"
        let noun = connections == 1 ? "connection" : "connections"
        return "\(Self.grouped(connections)) \(noun)\(suffix) on \(threads), \(pace), "
            + "\(Self.digits(seconds)) s"
    }

    private var rows: [Row] {
        var rows: [Row] = []
        if targets.count > 1 { rows.append(Row(name: "", cells: Self.names + ["B to A"])) }
        rows.append(row("messages/s", \.messagesPerSecond) { Self.fixed($0, 0) })
        rows.append(timeRow("latency  p50", \.latency?.p50))
        rows.append(timeRow("         p90", \.latency?.p90))
        rows.append(timeRow("         p99", \.latency?.p99))
        rows.append(timeRow("         p99.9", \.latency?.p999))
        rows.append(timeRow("         max", \.latency?.max))
        rows.append(timeRow("greeting p50", \.greeting?.p50))
        rows.append(timeRow("         p99", \.greeting?.p99))
        if targets.contains(where: { $0.server != nil }) {
            rows.append(
                shareRow("server CPU, µs/message", \.cpuMicrosecondsPerMessage) { Self.digits($0) })
            rows.append(shareRow("           of a core", \.cpuPercent) { Self.fixed($0, 1) + " %" })
            rows.append(
                shareRow("server memory", { Double($0.residentAfter) }) {
                    Self.fixed($0 / 1_048_576, 1) + " MiB"
                })
            var growth = shareRow(
                "       while measured", { Double($0.residentAfter - $0.residentBefore) }
            ) {
                ($0 > 0 ? "+" : "") + Self.fixed($0 / 1_048_576, 1) + " MiB"
            }
            // The growth of the memory is small, so a percentage of it is not meaningful.
            growth.cells.removeLast(growth.cells.count - targets.count)
            rows.append(growth)
        }
        return rows + returnRows + problemRows
    }

    /// The rows about clients that connect again; none if they do not.
    private var returnRows: [Row] {
        guard targets.contains(where: { $0.returns != nil }) else { return [] }
        let counts: [(String, (LoadResults.Returns) -> Int, isProblem: Bool)] = [
            ("resumed", \.resumed, false),
            ("not resumed", { $0.fresh.values.reduce(0, +) }, false),
            ("sent again", \.repeated, false), ("failed attempts", \.failedAttempts, false),
            ("draining", \.draining, false), ("interrupted", \.interrupted, false),
            ("items repeated", \.itemsRepeated, true), ("items missing", \.itemsMissing, true),
            ("not back", \.away, true),
        ]
        let times = [
            timeRow("return   p50", \.returns?.times?.p50),
            timeRow("         p99", \.returns?.times?.p99),
            timeRow("         max", \.returns?.times?.max),
        ]
        return times
            + counts.map { name, count, isProblem in
                Row(
                    name: name, cells: targets.map { Self.grouped($0.returns.map(count) ?? 0) },
                    isProblem: isProblem && targets.contains { $0.returns.map(count) ?? 0 > 0 })
            }
    }

    private var problemRows: [Row] {
        let counts: [(String, (Target) -> Int)] = [
            ("unanswered", \.unanswered),
            ("unreadable", { $0.unreadable.values.reduce(0, +) }),
            ("faults", { $0.faults.values.reduce(0, +) }),
            ("not connected", \.failed), ("lost", \.lost),
        ]
        return counts.map { name, count in
            Row(
                name: name, cells: targets.map { Self.grouped(count($0)) },
                isProblem: targets.contains {
                    count($0) > 0 && (name != "lost" || $0.returns == nil)
                })
        }
    }

    /// Details of faults, closes and other problems, in addition to their counts.
    private var problemDetails: [String] {
        targets.enumerated().flatMap { index, target in
            let prefix = targets.count > 1 ? "\(Self.names[index]): " : ""
            let faults = target.faults.sorted { $0.key < $1.key }.map {
                "\(prefix)fault \(LogLine.quotedIfNeeded($0.key)), \($0.value) times"
            }
            let ending = target.endedProcess.map {
                ["\(prefix)process \($0) has ended: its resource usage is unknown"]
            }
            let unreadable = target.unreadable.sorted { $0.key < $1.key }.map {
                "\(prefix)sent \($0.key), \($0.value) times"
            }
            let fresh = (target.returns?.fresh ?? [:]).sorted { $0.key < $1.key }.map {
                "\(prefix)not resumed: \(LogLine.quotedIfNeeded($0.key)), \($0.value) times"
            }
            let closes = target.closeCodes.sorted { $0.key < $1.key }.map {
                "\(prefix)closed with \($0.key), \($0.value) times"
            }
            return [ending ?? [], faults, unreadable, fresh, closes].flatMap { $0 }
        }
    }

    private var generatorCost: String {
        let cost = generator.map {
            "\(Self.fixed($0.cpuPercent, 0)) % of a core, "
                + "\(Self.digits($0.cpuMicrosecondsPerMessage ?? 0)) µs/message; "
        }
        let late = lag.map { "sent late by p50 \(Self.time($0.p50)), p99 \(Self.time($0.p99))" }
        return "generator: \(cost ?? "")\(late ?? "nothing was sent")"
    }

    private func timeRow(_ name: String, _ of: (Target) -> UInt64?) -> Row {
        row(name, { of($0).map { Double($0) } }) { Self.time(UInt64($0)) }
    }

    private func shareRow(
        _ name: String, _ of: (ProcessShare) -> Double?, _ shown: (Double) -> String
    ) -> Row {
        row(name, { $0.server.flatMap(of) }, shown)
    }

    private func row(
        _ name: String, _ of: (Target) -> Double?, _ shown: (Double) -> String
    ) -> Row {
        let values = targets.map(of)
        var cells = values.map { $0.map(shown) ?? "-" }
        if targets.count > 1 {
            if let first = values[0], let second = values[1], first > 0 {
                let percent = (second / first - 1) * 100
                cells.append((percent > 0 ? "+" : "") + Self.fixed(percent, 0) + " %")
            } else {
                cells.append("-")
            }
        }
        return Row(name: name, cells: cells)
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
