package import Cryptography

/// A commented configuration file for one kind of backend. Source: docs/configuration.md, "A first
/// file".
///
/// The daemon accepts the file without changes. Files and addresses that it names need not exist
/// yet.
package struct ConfigurationTemplate: Sendable {
    /// The kinds of backends for which there is a template. Source: docs/backends.md.
    package enum Backend: String, CaseIterable, Sendable {
        case demo, file, http, sqlite, exec, worker, script, client
    }

    package let backend: Backend
    /// The token with which workers register; nil if the backend has none. The file contains only
    /// its hash.
    package let workerToken: String?

    /// `key`: random bytes, from which the token of workers is made.
    package init(_ backend: Backend, key: SymmetricKey) {
        self.backend = backend
        workerToken = backend == .worker ? Self.hexadecimal(key.bytes) : nil
    }

    /// The contents of the file.
    package var text: String {
        [Self.beginning, backendPart, Self.end].joined(separator: "\n")
    }

    /// What the user must change, as a sentence; nil if the file is complete.
    package var instruction: String? {
        switch backend {
        case .demo, .script, .client: nil
        case .file: "Set `path` to your file."
        case .http: "Set `url` to the address of your API."
        case .sqlite: "Set `path`, `query`, `count` and `after` for your database."
        case .exec: "Set `command` to your program."
        case .worker: "Start a worker with the token \(workerToken ?? "")."
        }
    }

    private static let beginning = """
        # The configuration of refreshd. docs/configuration.md describes all keys, and so does
        # `man refreshd.yaml`. `refreshd check-config --config FILE` reports mistakes.

        # Other machines can connect to an address such as 0.0.0.0:8080.
        listen: 127.0.0.1:8080

        """

    private static let end = """

        # Pages of these origins may open sessions. Apps that are not web pages need no entry.
        origins: []
        #  - https://app.example.org

        # Behind a reverse proxy, both keys are needed. `mode: none` accepts every client.
        #proxies: [127.0.0.1]
        #auth: { mode: none }

        # Without a proxy, the daemon can serve TLS itself.
        #tls: { certificate: server.pem, key: server.key }

        # With a folder for its keys, sessions survive a restart of the daemon.
        #resume: { stateFolder: /var/lib/refreshd }

        log: { level: info, format: text }

        """

    private var backendPart: String {
        switch backend {
        case .demo: Self.demo
        case .file: Self.file
        case .http: Self.http
        case .sqlite: Self.sqlite
        case .exec: Self.exec
        case .worker: worker
        case .script: Self.script
        case .client: Self.client
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The parts of the file that differ between the kinds. Source: docs/backends.md.
extension ConfigurationTemplate {
    private static let demo = """
        # The demo is a page on http://127.0.0.1:8080/ with a list of this machine's packages.
        demo: true
        """

    private static let file = """
        feeds:
          items:
            backend: file
            # A .json, .jsonl or .csv file. A relative path begins in the folder of this file.
            # The file is read again whenever it has changed.
            path: items.json
            # How clients request the next page: page, offset or cursor.
            paging: page
            # The items of a page.
            size: 20
        """

    private static let http = """
        feeds:
          items:
            backend: http
            # Placeholders: {page}, {offset}, {cursor}, {size} and {parameter:NAME}.
            url: "http://127.0.0.1:9000/items?page={page}&size={size}"
            paging: page
            size: 20
            # The path of the items in the answer. By default the answer is an array, or an object
            # with the array `items`.
            #items: /result/items
            # The values that a client may give, for example the text of a search. With
            # q={parameter:q} in the URL, clients search the list.
            #parameters: { q: text }
            # The member that identifies an item, so that no page repeats an item.
            #itemKey: /id
            # Clients with equal requests share a call and its answer.
            #shared: true
            #cache: { lifetimeMs: 10000 }
            # The daemon calls the backend again after a failure.
            #retry: { attempts: 3 }
        """

    private static let sqlite = """
        feeds:
          items:
            backend: sqlite
            # A relative path begins in the folder of this file.
            path: items.db
            # The last row of a page is :after_added and :after_id, and is NULL for the first page.
            query: >
              SELECT id, title, added FROM items
              WHERE (added, id) < (coalesce(:after_added, '~'), coalesce(:after_id, 0))
              ORDER BY added DESC, id DESC LIMIT :size
            count: SELECT count(*) FROM items
            after: [added, id]
            paging: cursor
            size: 20
        """

    private static let exec = """
        backends:
          program:
            kind: exec
            # A program that reads one JSON object a line and answers each. It needs its absolute
            # path. docs/backends.md, "The line protocol", describes the lines.
            command: [/usr/bin/python3, items.py]
            processes: 2
        feeds:
          items:
            backend: program
            paging: cursor
            size: 20
        """

    private var worker: String {
        let digest = Self.hexadecimal(SHA256.digest(of: Array((workerToken ?? "").utf8)))
        return """
            # Workers connect to ws://127.0.0.1:8080/v1/worker and register with a token.
            tokens:
              # The hash of the token: printf %s TOKEN | sha256sum
              - name: worker
                sha256: "\(digest)"
                may: [work]
                feeds: [items]
            feeds:
              items:
                backend: worker
                paging: cursor
                size: 20
            """
    }

    private static let script = """
        feeds:
          items:
            backend: script
            paging: page
            size: 20
            # What each call answers, in this order. Afterwards the steps begin again.
            steps:
              - { afterMs: 300, generate: 100 }
              #- { afterMs: 300, fail: backendUnavailable }
            then: repeat
        """

    private static let client = """
        # The clients load the items themselves: they attach their views without a feed, and answer
        # the message `load`.
        feeds: {}
        """
}
