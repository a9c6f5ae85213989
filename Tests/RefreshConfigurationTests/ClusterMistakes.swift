/// Mistakes in `cluster` and their messages.
let clusterMistakes: [Mistake] = [
    Mistake(
        "cluster: production",
        "1:10: cluster: expected a mapping, found a string"),
    Mistake(
        "cluster: {}",
        "1:10: cluster: `name` is missing",
        "1:10: cluster: `servers` is missing"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], severs: 1 }",
        "1:42: cluster.severs: unknown key; did you mean `servers`?"),
    Mistake(
        "cluster: { name: Production, servers: [nats://b] }",
        "1:18: cluster.name: the name of a cluster has 1 to 32 characters of a to z, 0 "
            + "to 9, `-` and `_`"),
    Mistake(
        "cluster: { name: a.b, servers: [nats://b] }",
        "1:18: cluster.name: the name of a cluster has 1 to 32 characters of a to z, 0 "
            + "to 9, `-` and `_`"),
    Mistake(
        "cluster: { name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, servers: [nats://b] }",
        "1:18: cluster.name: the name of a cluster has 1 to 32 characters of a to z, 0 "
            + "to 9, `-` and `_`"),
    Mistake(
        "cluster: { name: a, servers: [] }",
        "1:30: cluster.servers: at least one server is required"),
    Mistake(
        "cluster: { name: a, servers: {} }",
        "1:30: cluster.servers: expected a list, found a mapping"),
    Mistake(
        "cluster: { name: a, servers: [http://b] }",
        "1:31: cluster.servers: `http://b` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [b:4222] }",
        "1:31: cluster.servers: `b:4222` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [nats://] }",
        "1:31: cluster.servers: `nats://` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [nats://b:0] }",
        "1:31: cluster.servers: `nats://b:0` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [nats://b:65536] }",
        "1:31: cluster.servers: `nats://b:65536` is not a server; write nats://HOST:PORT "
            + "or tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [nats://b/c] }",
        "1:31: cluster.servers: `nats://b/c` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [NATS://b] }",
        "1:31: cluster.servers: `NATS://b` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [\"nats://[10.0.0.1]\"] }",
        "1:31: cluster.servers: `nats://[10.0.0.1]` is not a server; write "
            + "nats://HOST:PORT or tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [\"nats://b c\"] }",
        "1:31: cluster.servers: `nats://b c` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [\"nats://ä\"] }",
        "1:31: cluster.servers: `nats://ä` is not a server; write nats://HOST:PORT or "
            + "tls://HOST:PORT"),
    Mistake(
        "cluster: { name: a, servers: [nats://user:secret@b, tls://secret@b] }",
        "1:31: cluster.servers: a server has no user and no password here; set "
            + "`credentials`, `nkey`, or `user` and `passwordFile`",
        "1:53: cluster.servers: a server has no user and no password here; set "
            + "`credentials`, `nkey`, or `user` and `passwordFile`"),
    Mistake(
        "cluster: { name: a, servers: [nats://b, \"nats://B:4222\"] }",
        "1:41: cluster.servers: `nats://b:4222` occurs twice"),
    Mistake(
        "cluster: { name: a, servers: [nats://b, tls://c] }",
        "1:41: cluster.servers: `tls://c:4222`: servers with nats:// and servers with "
            + "tls:// cannot be combined"),
    Mistake(
        "cluster: { name: a, servers: [nats://b1, nats://b2, nats://b3, nats://b4, "
            + "nats://b5, nats://b6, nats://b7, nats://b8, nats://b9, nats://b10, nats://b11, "
            + "nats://b12, nats://b13, nats://b14, nats://b15, nats://b16, nats://b17] }",
        "1:30: cluster.servers: 17 servers; at most 16"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], node: \"a b\" }",
        "1:48: cluster.node: a name has 1 to 64 letters, digits, `-`, `_` and `.`"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], nkey: n, credentials: c, user: u, "
            + "passwordFile: p }",
        "1:48: cluster.nkey: cannot be combined with `credentials`; set one of them",
        "1:73: cluster.user: cannot be combined with `credentials`; set one of them"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], user: u }",
        "1:48: cluster.user: requires `passwordFile`"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], passwordFile: p }",
        "1:56: cluster.passwordFile: requires `user`"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], user: \"u v\", passwordFile: p }",
        "1:48: cluster.user: a user has 1 to 64 printable ASCII characters without spaces"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], credentials: secret }",
        "1:55: cluster.credentials: the file: cannot be read: there is no such file"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], nkey: secret }",
        "1:48: cluster.nkey: the file: cannot be read: there is no such file"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], user: u, passwordFile: secret }",
        "1:65: cluster.passwordFile: the file: cannot be read: there is no such file"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], nkey: /dev/zero }",
        "1:48: cluster.nkey: /dev/zero: cannot be read: it is not a regular file"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], tls: { ca: c } }",
        "1:47: cluster.tls: requires servers with tls://"),
    Mistake(
        "cluster: { name: a, servers: [tls://b], tls: { ca: none.pem } }",
        "1:52: cluster.tls.ca: There is no such file."),
    Mistake(
        "cluster: { name: a, servers: [tls://b], tls: { certificate: c } }",
        "1:61: cluster.tls.certificate: requires `key`"),
    Mistake(
        "cluster: { name: a, servers: [tls://b], tls: { key: k } }",
        "1:53: cluster.tls.key: requires `certificate`"),
    Mistake(
        "cluster: { name: a, servers: [tls://b], tls: { certificate: none.pem, key: "
            + "none.key } }",
        "1:61: cluster.tls.certificate: the file cannot be read: there is no such file"),
    Mistake(
        "cluster: { name: a, servers: [tls://b], tls: { cert: c } }",
        "1:48: cluster.tls.cert: unknown key; did you mean `certificate`?"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], connectTimeoutMs: 99 }",
        "1:60: cluster.connectTimeoutMs: 99 is out of range; 100 to 60000"),
    Mistake(
        "cluster: { name: a, servers: [nats://b], connectTimeoutMs: 60001 }",
        "1:60: cluster.connectTimeoutMs: 60001 is out of range; 100 to 60000"),
]
