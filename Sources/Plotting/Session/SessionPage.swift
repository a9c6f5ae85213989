internal import Conformance
internal import RefreshProtocol

/// A recorded session as one self-contained page: its picture, followed by all messages.
package struct SessionPage {
    private let recording: SessionRecording
    private let picture: SessionPicture

    /// The maximum length of a message in characters. Longer messages are truncated.
    private static let textMax = 2000

    package init(of recording: SessionRecording, theme: PlotTheme = .light, width: Double = 1100) {
        self.recording = recording
        picture = SessionPicture(of: recording, theme: theme, width: width)
    }

    package var html: String {
        let title = MarkupText.escaped("Session \(recording.session)")
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <figure>\(picture.svg)</figure>
            <table>
            <caption>\(recording.messages.count) messages</caption>
            <thead><tr><th>time</th><th>sender</th><th>type</th><th>view</th><th>message</th></tr></thead>
            <tbody>
            \(recording.messages.map(row).joined(separator: "\n"))
            </tbody>
            </table>
            </body>
            </html>

            """
    }

    private func row(_ message: RecordedMessage) -> String {
        let text = message.value.text
        let shown = text.count > Self.textMax ? text.prefix(Self.textMax) + "…" : text[...]
        return """
            <tr class="\(message.isError ? "trouble" : message.sender.rawValue)">\
            <td>\(TimeScale.label(message.t))</td><td>\(message.sender.rawValue)</td>\
            <td>\(MarkupText.escaped(message.type))</td><td>\(MarkupText.escaped(message.view))</td>\
            <td><details><summary>\(MarkupText.escaped(shown.prefix(90)))</summary>\
            <code>\(MarkupText.escaped(shown))</code></details></td></tr>
            """
    }

    private var style: String {
        let theme = picture.theme
        return """
            body{margin:0;background:\(theme.paper);color:\(theme.ink);\
            font:14px/1.4 system-ui,'DejaVu Sans',sans-serif}
            figure{margin:0;overflow-x:auto}figure svg{display:block;max-width:none}
            table{border-collapse:collapse;margin:0 28px 28px;width:calc(100% - 56px)}
            caption{text-align:left;font-weight:600;padding:8px 0}
            th,td{text-align:left;vertical-align:top;padding:3px 10px 3px 0;\
            border-top:1px solid \(theme.line)}
            th{color:\(theme.faintInk);font-weight:500}
            td:first-child{white-space:nowrap;font-variant-numeric:tabular-nums}
            tr.client td:nth-child(2){color:\(SessionPalette.touch)}
            tr.daemon td:nth-child(2){color:\(SessionPalette.refresh)}
            tr.trouble td{color:\(SessionPalette.failure)}
            summary{cursor:pointer;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;max-width:60vw}
            code{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
            """
    }
}
