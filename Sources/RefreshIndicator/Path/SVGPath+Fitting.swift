extension SVGPath {
    /// The same drawing, scaled uniformly to the largest size that fits into `frame`, and centred
    /// in it.
    ///
    /// With `first`, the drawing gets the scale and the position that `first` would get. This is
    /// MRefresh's option "as first element". If a drawing has no width, its height determines the
    /// scale. If it has no height, its width does. A drawing without width and height keeps its
    /// size (SVG-12 of the SVGVerdictTests).
    package func fitted(into frame: Box, like first: SVGPath? = nil) -> SVGPath {
        guard let box = (first ?? self).bounds else { return self }
        let scale = Self.scale(box, into: frame)
        let shift = frame.center - box.center * scale
        return SVGPath(segments: segments.map { $0.transformed(scale: scale, shift: shift) })
    }

    private static func scale(_ box: Box, into frame: Box) -> Double {
        var scale = Double.infinity
        if box.width > 0 { scale = min(scale, frame.width / box.width) }
        if box.height > 0 { scale = min(scale, frame.height / box.height) }
        // An extent close to zero counts as zero, because its scale would be unusable.
        let size = max(
            box.minX.magnitude, box.maxX.magnitude, box.minY.magnitude, box.maxY.magnitude)
        return (scale * size).isFinite ? max(scale, 0) : 1
    }
}
