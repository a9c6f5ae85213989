internal import RefreshProtocol

extension ConformanceReport {
    /// The report as one self-contained HTML page. Each case can be expanded to show its exchange.
    /// The exchanges are the largest part of a report, so the HTML page contains them only once and
    /// compressed. The script of the page unpacks the exchanges when the first case is opened.
    package var html: String {
        let title = "Conformance of \(MarkupText.escaped(name))"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <p><code>\(MarkupText.escaped(url))</code>, \(results.count) cases</p>
            \(bar)
            \(filters)
            \(notOfferedList)
            </header>
            <main>
            \(groups.map(section).joined(separator: "\n"))
            </main>
            <script type="text/plain" id="exchanges">\(packedExchanges)</script>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    private var bar: String {
        let parts = CaseResult.Verdict.allCases.filter { count($0) > 0 }.map { verdict in
            #"<span class="\#(verdict.rawValue)" style="flex:\#(count(verdict))"></span>"#
        }
        return #"<div class="bar" aria-hidden="true">\#(parts.joined())</div>"#
    }

    private var filters: String {
        let labels = CaseResult.Verdict.allCases.map { verdict in
            """
            <label class="\(verdict.rawValue)"><input type="checkbox" value="\(verdict.rawValue)" checked> \
            \(count(verdict)) \(verdict.rawValue)</label>
            """
        }
        return #"<div class="filters">\#(labels.joined()) "#
            + #"<input type="search" placeholder="search cases" aria-label="search cases"></div>"#
    }

    private var notOfferedList: String {
        guard !notOffered.isEmpty else { return "" }
        let items = notOffered.map {
            "<li>\(MarkupText.prose($0.what)): \($0.cases) not run</li>"
        }
        return "<p>Not offered by this \(role.rawValue):</p><ul>\(items.joined())</ul>"
    }

    private func section(_ group: String, _ results: [CaseResult]) -> String {
        let passed = results.count { $0.verdict == .passed }
        return """
            <section>
            <h2>\(group) <small>\(Self.countsText(results, passed: passed))</small></h2>
            \(results.map(article).joined(separator: "\n"))
            </section>
            """
    }

    private func article(_ result: CaseResult) -> String {
        let subject = result.subject
        let isOpen = result.verdict == .failed ? " open" : ""
        return """
            <details class="\(result.verdict.rawValue)" id="\(subject.id)"\(isOpen)>
            <summary><b>\(result.verdict.rawValue)</b> <code>\(subject.id)</code> \
            <span>\(MarkupText.prose(subject.description))</span> \
            <i>\(JSONValue.number(result.durationMs.rounded()).text) ms</i></summary>
            <p>Wanted: \(MarkupText.prose(subject.expectation)) \
            See <code>\(MarkupText.escaped(subject.reference))</code>.</p>
            \(reason(result))
            <div class="talks"><noscript>A script shows the messages.</noscript></div>
            </details>
            """
    }

    private func reason(_ result: CaseResult) -> String {
        guard result.reason != nil || result.step != nil else { return "" }
        var rows: [(String, String)] = []
        if let step = result.step { rows.append(("at", step)) }
        if let expected = result.expected {
            rows += [("expected", expected), ("found", result.came ?? "nothing")]
            rows += result.differences.map { ("differs", $0) }
        } else if let reason = result.reason {
            rows.append(("because", reason))
        }
        let cells = rows.map { name, text in
            let cell =
                name == "because"
                ? MarkupText.prose(text) : "<code>\(MarkupText.escaped(text))</code>"
            return "<tr><th>\(name)</th><td>\(cell)</td></tr>"
        }
        return #"<table class="reason">\#(cells.joined())</table>"#
    }

    private static let style = """

        :root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --doubt: #9a6700;
          --bad: #cf222e; --note: #6e7781; }
        @media (prefers-color-scheme: dark) { :root { --good: #3fb950; --doubt: #d29922;
          --bad: #f85149; --note: #8b949e; } }
        body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; }
        h1 { margin: 0.5rem 0 0; } h2 { margin: 1.5rem 0 0.4rem; } h2 small { font-weight: normal; color: var(--note); }
        h3 { font-size: 0.9rem; margin: 0.8rem 0 0.2rem; }
        code { font: 12.5px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
        .bar { display: flex; height: 10px; border-radius: 5px; overflow: hidden; gap: 2px; }
        .bar .passed { background: var(--good); } .bar .nonStrict { background: var(--doubt); }
        .bar .failed { background: var(--bad); } .bar .informational { background: var(--note); }
        .bar .skipped { background: var(--line); }
        .filters { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0.8rem 0; align-items: center; }
        .filters .passed, details.passed summary b { color: var(--good); }
        .filters .nonStrict, details.nonStrict summary b { color: var(--doubt); }
        .filters .failed, details.failed summary b { color: var(--bad); }
        .filters .informational, details.informational summary b { color: var(--note); }
        .filters .skipped, details.skipped summary b, details.skipped summary span { color: var(--note); }
        details { border-top: 1px solid var(--line); padding: 0.35rem 0; }
        summary { display: grid; grid-template-columns: 7.5rem 8.5rem 1fr auto; gap: 0.6rem; cursor: pointer; }
        summary b { font-weight: 600; } summary i { color: var(--note); font-style: normal; }
        table { border-collapse: collapse; width: 100%; } td, th { vertical-align: top; text-align: left; padding: 1px 8px 1px 0; }
        .talk td:nth-child(2) { color: var(--note); text-align: right; white-space: nowrap; }
        .talk .client code { opacity: 0.75; } .talk td:first-child { width: 1.2rem; }
        .reason th { width: 6rem; font-weight: 600; }
        [hidden] { display: none; }
        @media (max-width: 40rem) { summary { grid-template-columns: 1fr auto; } summary span { grid-column: 1 / -1; } }

        """

    private static let script = """

        const boxes = [...document.querySelectorAll('.filters [type=checkbox]')];
        const search = document.querySelector('.filters [type=search]');
        function sift() {
          const shown = new Set(boxes.filter(box => box.checked).map(box => box.value));
          const word = search.value.toLowerCase();
          for (const section of document.querySelectorAll('section')) {
            let some = false;
            for (const item of section.querySelectorAll('details')) {
              item.hidden = !shown.has(item.className)
                || !item.querySelector('summary').textContent.toLowerCase().includes(word);
              some = some || !item.hidden;
            }
            section.hidden = !some;
          }
        }
        for (const input of [...boxes, search]) input.addEventListener('input', sift);

        let exchanges;
        async function unpack() {
          const packed = atob(document.getElementById('exchanges').textContent.trim());
          const bytes = Uint8Array.from(packed, letter => letter.charCodeAt(0));
          const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
          return JSON.parse(await new Response(stream).text());
        }
        function made(name, text, parent) {
          const element = document.createElement(name);
          element.textContent = text;
          parent.append(element);
          return element;
        }
        async function unfold(item) {
          const place = item.querySelector('.talks');
          if (!item.open || place.dataset.unfolded) return;
          place.dataset.unfolded = 'yes';
          place.textContent = '';
          try {
            exchanges ??= unpack();
            for (const { name, said } of (await exchanges)[item.id] ?? []) {
              made('h3', name, place);
              const table = made('table', '', place);
              table.className = 'talk';
              for (const [from, ms, text] of said) {
                const row = made('tr', '', table);
                row.className = from;
                made('td', from === 'client' ? '\u{2192}' : '\u{2190}', row);
                made('td', ms, row);
                made('code', text, made('td', '', row));
              }
            }
          } catch {
            place.textContent = 'This browser cannot unpack what was said; the report as JSON has it.';
          }
        }
        for (const item of document.querySelectorAll('details')) {
          item.addEventListener('toggle', () => unfold(item));
          unfold(item);
        }

        """
}
