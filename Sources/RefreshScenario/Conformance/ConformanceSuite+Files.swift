extension ConformanceSuite {
    /// The files of `Suite`, by group; a group has several where one would be long.
    static var texts: [(ConformanceGroup, String)] {
        files.map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
    }

    private static var files: [(ConformanceGroup, [UInt8])] {
        [
            (.session, PackageResources.session_suite),
            (.geometry, PackageResources.geometry_suite),
            (.pull, PackageResources.pull_suite),
            (.loadMore, PackageResources.load_more_suite),
            (.paging, PackageResources.paging_suite),
            (.indicators, PackageResources.indicators_suite),
            (.insets, PackageResources.insets_suite),
            (.physics, PackageResources.physics_suite),
            (.faults, PackageResources.faults_suite),
            (.resume, PackageResources.resume_suite),
            (.batching, PackageResources.batching_suite),
            (.ordering, PackageResources.ordering_suite),
        ]
    }
}
