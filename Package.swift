// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: warnings are errors, unsafe code must be marked by `unsafe`,
/// and imports are internal by default.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// The settings of the modules in which the tests spend most of their time. These modules are
/// optimised in the debug build too. Tests with thousands of gestures, simulations and messages
/// then take a quarter of the time. `assert` remains active.
///
/// The sanitizers check unoptimised code. In optimised code, the thread sanitizer does not
/// recognise the order that a mutex or a continuation guarantees, and reports races that do not
/// exist.
let quickSettings: [SwiftSetting] =
    Context.environment["REFRESHD_SANITIZED"] == nil
    ? settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
    : settings

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
/// A dependency of `histogram`. No target imports it: it is listed only to fix its version.
let numerics = Target.Dependency.product(name: "Numerics", package: "swift-numerics")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "refreshd",
    products: [
        .executable(name: "refreshd", targets: ["refreshd"]),
        .executable(name: "refresh-probe", targets: ["refresh-probe"]),
        .library(name: "RefreshClient", targets: ["RefreshClient", "RefreshProtocol"]),
        .library(name: "RefreshClientDialer", targets: ["RefreshClientDialer"]),
        .library(name: "RefreshClientURLSession", targets: ["RefreshClientURLSession"]),
    ],
    // All versions are exact, including those of transitive dependencies, because the repository
    // has no Package.resolved. The same tree therefore always builds from the same sources. How to
    // raise a version: CONTRIBUTING.md, "Dependencies".
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CLWS", pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev", "libwebsockets-evlib-uv", "libuv1-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CNumberText"),
        .target(name: "TouchTraces", exclude: ["Traces"]),
        .target(name: "ConformanceFiles"),

        .target(
            name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: settings),
        .target(
            name: "RefreshProtocol", dependencies: ["CNumberText"], swiftSettings: quickSettings),
        .target(
            name: "RefreshEngine", dependencies: ["RefreshProtocol"], swiftSettings: quickSettings),
        .target(
            name: "RefreshIndicator", dependencies: ["RefreshProtocol"],
            swiftSettings: quickSettings),
        .target(
            name: "WebSocketTransport", dependencies: ["CLWS"], swiftSettings: quickSettings),
        .target(
            name: "RefreshClient",
            dependencies: ["RefreshProtocol", "RefreshEngine", "RefreshIndicator"],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "RefreshClientDialer", dependencies: ["RefreshClient", "WebSocketTransport"],
            swiftSettings: settings),
        .target(
            name: "RefreshClientURLSession", dependencies: ["RefreshClient"],
            swiftSettings: settings),
        .target(
            name: "MessageBus", dependencies: ["CNATS", "Cryptography"], swiftSettings: settings),
        .target(
            name: "RefreshBroker", dependencies: ["RefreshProtocol"], swiftSettings: quickSettings),
        .target(
            name: "RefreshBackends",
            dependencies: ["RefreshProtocol", "RefreshBroker", "CCurl", "CProcess", grdb, sqlite],
            swiftSettings: quickSettings),
        .target(
            name: "RefreshCluster", dependencies: ["RefreshProtocol", "RefreshBroker"],
            swiftSettings: quickSettings),
        .target(name: "WebClientFiles"),
        .target(
            name: "WebClient", dependencies: ["WebClientFiles"], swiftSettings: settings),
        .target(
            name: "RefreshSession",
            dependencies: [
                "RefreshProtocol", "RefreshEngine", "RefreshIndicator", "RefreshBroker",
                "Cryptography",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "SealedSnapshots",
            dependencies: [
                "RefreshProtocol", "RefreshBroker", "RefreshSession", "Cryptography", "CZlib",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "RefreshConfiguration",
            dependencies: [
                "RefreshProtocol", "RefreshIndicator", "RefreshBroker", "RefreshBackends",
                "WebSocketTransport", "Cryptography", "CProcess", yams,
            ],
            swiftSettings: settings),
        .target(
            name: "RefreshServer",
            dependencies: [
                "RefreshConfiguration", "RefreshSession", "SealedSnapshots", "RefreshProtocol",
                "WebSocketTransport", "RefreshBroker", "RefreshBackends", "RefreshCluster",
                "MessageBus", "WebClient", "Cryptography", "CProcess", logging,
            ],
            swiftSettings: quickSettings),
        .target(
            name: "DaemonCommand",
            dependencies: [
                "RefreshServer", "RefreshConfiguration", "RefreshProtocol", "Cryptography",
                argumentParser,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "refreshd", dependencies: ["DaemonCommand"], swiftSettings: settings),
        .target(
            name: "WireContract",
            dependencies: ["RefreshProtocol", "RefreshEngine", "RefreshIndicator"],
            swiftSettings: quickSettings),
        .target(
            name: "ScenarioKit",
            dependencies: [
                "RefreshServer", "RefreshConfiguration", "RefreshSession", "RefreshProtocol",
                "RefreshEngine", "RefreshBroker", "RefreshBackends", "WebClient",
                "WebSocketTransport",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "Conformance",
            dependencies: [
                "ScenarioKit", "WireContract", "RefreshServer", "RefreshProtocol",
                "RefreshEngine", "RefreshBackends", "SealedSnapshots", "WebSocketTransport",
                "ConformanceFiles",
            ],
            exclude: ["Suite"],
            swiftSettings: quickSettings),
        .target(
            name: "JournalReplay",
            dependencies: [
                "ScenarioKit", "RefreshServer", "RefreshSession", "RefreshProtocol",
                "RefreshBroker", "WebSocketTransport",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "SessionProxy",
            dependencies: [
                "ScenarioKit", "RefreshServer", "RefreshConfiguration", "RefreshSession",
                "RefreshProtocol", "WebSocketTransport",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "LoadTesting",
            dependencies: [
                "ScenarioKit", "JournalReplay", "RefreshServer", "RefreshSession",
                "RefreshProtocol", "RefreshBroker", "WebSocketTransport", "TouchTraces", numerics,
                histogram,
            ],
            swiftSettings: quickSettings),
        .target(
            name: "Plotting",
            dependencies: [
                "WireContract", "Conformance", "ScenarioKit", "JournalReplay", "LoadTesting",
                "RefreshServer", "RefreshSession", "RefreshProtocol", "RefreshBroker",
                "RefreshIndicator",
            ],
            swiftSettings: quickSettings),
        .target(
            name: "ProbeCommand",
            dependencies: [
                "ScenarioKit", "Conformance", "WireContract", "JournalReplay", "LoadTesting",
                "Plotting", "SessionProxy", "RefreshServer", "RefreshConfiguration",
                "RefreshSession", "RefreshIndicator", "RefreshProtocol", "WebSocketTransport",
                argumentParser,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "refresh-probe", dependencies: ["ProbeCommand"], swiftSettings: settings),
        .executableTarget(
            name: "refreshd-multicall", dependencies: ["DaemonCommand", "ProbeCommand"],
            swiftSettings: settings),

        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .executableTarget(
            name: "refresh-bench",
            dependencies: [
                "AllocationCounter", "RefreshServer", "RefreshSession", "RefreshBroker",
                "RefreshEngine", "RefreshIndicator", "RefreshProtocol", "ScenarioKit",
            ],
            path: "Benchmarks/RefreshBench", swiftSettings: settings,
            // The pure modules (protocol, engine and indicator) need libm for rounding. Nothing
            // else in this target links libm.
            linkerSettings: [.linkedLibrary("m")]),

        .executableTarget(
            name: "path-report", dependencies: ["RefreshIndicator"], path: "Tests/Icons/PathReport",
            swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),

        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: settings),
        .testTarget(
            name: "RefreshProtocolTests", dependencies: ["RefreshProtocol", "WireContract"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "RefreshEngineTests",
            dependencies: ["Workbench", "RefreshEngine", "RefreshProtocol"],
            exclude: ["Fixtures"], swiftSettings: quickSettings),
        .target(
            name: "NodeScript", dependencies: ["RefreshProtocol"], path: "Tests/NodeScript",
            swiftSettings: settings),
        .testTarget(
            name: "RefreshIndicatorTests",
            dependencies: ["Workbench", "NodeScript", "RefreshIndicator", "RefreshProtocol"],
            exclude: ["Fixtures"], swiftSettings: quickSettings),
        .testTarget(
            name: "WebSocketTransportTests", dependencies: ["Workbench", "WebSocketTransport"],
            swiftSettings: settings),
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        .target(
            name: "Workbench", dependencies: ["TestWidth"], path: "Tests/Workbench",
            swiftSettings: settings),
        .executableTarget(
            name: "swift-client",
            dependencies: ["RefreshClient", "RefreshClientDialer", "RefreshProtocol"],
            path: "Tests/SwiftClient", swiftSettings: settings,
            linkerSettings: [.linkedLibrary("m")]),
        .testTarget(
            name: "RefreshClientTests",
            dependencies: [
                "RefreshProtocol", "RefreshEngine", "RefreshBroker", "RefreshSession",
                "RefreshClient", "RefreshClientDialer", "RefreshClientURLSession",
                "SealedSnapshots", "TouchTraces", "Workbench", "BrokerBench",
            ], swiftSettings: settings),
        .target(
            name: "BrokerBench", dependencies: ["RefreshBroker", "RefreshProtocol"],
            path: "Tests/BrokerBench", swiftSettings: settings),
        .target(
            name: "BusTesting", dependencies: ["MessageBus"], path: "Tests/BusTesting",
            swiftSettings: settings),
        .testTarget(
            name: "MessageBusTests",
            dependencies: ["Workbench", "BusTesting", "MessageBus", "Cryptography"],
            swiftSettings: settings),
        .testTarget(
            name: "RefreshBrokerTests",
            dependencies: ["Workbench", "BrokerBench", "RefreshBroker", "RefreshProtocol"],
            swiftSettings: settings),
        .testTarget(
            name: "RefreshBackendsTests",
            dependencies: [
                "Workbench", "BrokerBench", "WireContract", "RefreshBackends", "RefreshBroker",
                "RefreshProtocol", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RefreshClusterTests",
            dependencies: ["RefreshCluster", "RefreshBroker", "RefreshProtocol"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BackendContractTests",
            dependencies: [
                "Workbench", "WireContract", "RefreshServer", "RefreshSession", "RefreshBackends",
                "RefreshBroker", "RefreshProtocol", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RefreshConfigurationTests",
            dependencies: [
                "RefreshProtocol", "RefreshIndicator", "WebSocketTransport", "RefreshBroker",
                "RefreshBackends", "RefreshConfiguration", "Workbench", "RefreshSession",
            ], swiftSettings: settings),
        .target(
            name: "SessionBench",
            dependencies: [
                "RefreshProtocol", "RefreshIndicator", "RefreshBroker", "RefreshSession",
                "WireContract",
            ], path: "Tests/SessionBench", swiftSettings: settings),
        .testTarget(
            name: "RefreshSessionTests",
            dependencies: [
                "RefreshProtocol", "RefreshEngine", "RefreshIndicator", "RefreshBroker",
                "RefreshSession", "SessionBench", "BrokerBench",
            ], swiftSettings: settings),
        .testTarget(
            name: "RefreshServerTests",
            dependencies: [
                "Workbench", "ScenarioKit", "WireContract", "RefreshServer",
                "RefreshConfiguration", "RefreshSession", "RefreshBackends", "RefreshBroker",
                "RefreshCluster", "BusTesting", "MessageBus", "SealedSnapshots",
                "RefreshEngine", "RefreshIndicator", "RefreshProtocol", "WebSocketTransport",
                "Cryptography", "SessionBench", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireContractTests",
            dependencies: [
                "RefreshProtocol", "RefreshConfiguration", "WireContract", "ScenarioKit",
                "Conformance", "Workbench",
            ], exclude: ["Fixtures"], swiftSettings: settings),
        .target(
            name: "ScenarioBench",
            dependencies: [
                "RefreshProtocol", "RefreshSession", "ScenarioKit", "WebSocketTransport",
            ], path: "Tests/ScenarioBench", swiftSettings: settings),
        .testTarget(
            name: "ScenarioKitTests",
            dependencies: [
                "Cryptography", "RefreshProtocol", "WebSocketTransport", "RefreshBroker",
                "RefreshSession",
                "ScenarioKit", "LoadTesting", "NodeScript", "Workbench", "ScenarioBench",
            ], exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "JournalReplayTests",
            dependencies: [
                "RefreshProtocol", "WebSocketTransport", "RefreshBackends", "RefreshBroker",
                "RefreshSession", "RefreshConfiguration", "RefreshServer", "ScenarioKit",
                "Conformance", "JournalReplay", "LoadTesting", "Plotting", "WebClient",
                "Workbench", "ScenarioBench",
            ], exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "LoadTestingTests",
            dependencies: [
                "RefreshProtocol", "WebSocketTransport", "RefreshBroker", "RefreshConfiguration",
                "LoadTesting", "Workbench", "RefreshServer", histogram,
            ], swiftSettings: settings),
        .testTarget(
            name: "PlottingTests",
            dependencies: [
                "RefreshProtocol", "RefreshIndicator", "JournalReplay", "LoadTesting", "Plotting",
                "Workbench",
            ], swiftSettings: settings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Workbench", "ScenarioKit", "Conformance", "WireContract", "RefreshServer",
                "RefreshConfiguration", "RefreshProtocol", "WebSocketTransport", "ScenarioBench",
            ],
            swiftSettings: settings),
        .target(
            name: "Simulation",
            dependencies: [
                "RefreshClient", "ScenarioKit", "JournalReplay", "RefreshServer",
                "RefreshConfiguration",
                "RefreshSession", "SealedSnapshots", "RefreshBroker", "RefreshCluster",
                "RefreshEngine",
                "RefreshProtocol", "BrokerBench",
            ],
            path: "Tests/Simulation", swiftSettings: quickSettings),
        .executableTarget(
            name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate",
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Simulation", "RefreshServer", "RefreshConfiguration", "RefreshSession",
                "RefreshBroker", "RefreshEngine", "RefreshProtocol", "Cryptography",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "ScenarioKit", "RefreshServer", "RefreshConfiguration", "RefreshSession",
                "SealedSnapshots", "RefreshBackends", "RefreshBroker", "RefreshCluster",
                "RefreshEngine", "RefreshIndicator", "RefreshProtocol", "Cryptography",
            ],
            path: "Tests/Fuzz", exclude: ["Fuzzer.swift", "corpus", "dictionaries"],
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Workbench", "ScenarioKit", "Conformance", "WireContract", "LoadTesting",
                "RefreshServer", "RefreshConfiguration", "RefreshProtocol", "Cryptography",
                "SealedSnapshots", "WebSocketTransport", "refreshd", "refresh-probe",
            ],
            swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx17
)
