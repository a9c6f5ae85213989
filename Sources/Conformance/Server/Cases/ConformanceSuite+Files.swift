internal import ConformanceFiles

extension ConformanceSuite {
    /// The files of `Suite`, by group. A group has several files where one would be long.
    static var texts: [(ConformanceGroup, String)] {
        (0..<conformance_file_count()).compactMap { index in
            let file = unsafe conformance_file_at(index)
            let text = unsafe String(
                decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            return ConformanceGroup(fileName: unsafe String(cString: file.name)).map { ($0, text) }
        }
    }
}
