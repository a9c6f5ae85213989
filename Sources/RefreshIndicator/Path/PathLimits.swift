/// The limits of a path; a text that exceeds one causes an `SVGPathError`.
package enum PathLimits {
    /// Segments of one path, including moves and closing edges.
    package static let segmentsMax = 4096
    /// The maximum absolute value of a coordinate or radius, points. It is far below the overflow,
    /// so that no length and no fitting of a path overflows.
    package static let coordinateMax = 1e12
    /// The maximum number of times that the segments of a path are halved.
    package static let smoothingMax = 6
}
