/// The bounds of what a path may be; crossing one in a text is an `SVGPathError`.
package enum PathLimits {
    /// Segments of one path, moves and closing edges included.
    package static let segmentsMax = 4096
    /// Points: what a coordinate and a radius may be at most, either way. Far below what overflows,
    /// so that no length and no fitting of a path does.
    package static let coordinateMax = 1e12
    /// How often the segments of a path are halved at most.
    package static let smoothingMax = 6
}
