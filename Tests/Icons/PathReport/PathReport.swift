import RefreshIndicator

/// Reads path data from standard input, and prints one line of JSON for each line. The printed line
/// contains either an error, or the length, the box and the points. The box has a left, top, right
/// and bottom. The points are at 0/19, 1/19, ... 19/19 of the length.
@main
enum PathReport {
    private static let points = 20

    static func main() {
        while let line = readLine() {
            print(report(line))
        }
    }

    private static func report(_ line: String) -> String {
        do throws(SVGPathError) {
            let path = try SVGPath(parsing: line)
            let measured = MeasuredPath(path)
            let places = (0..<points).map { index in
                pair(measured.point(at: Double(index) / Double(points - 1)))
            }
            let box = path.bounds.map { "[\($0.minX),\($0.minY),\($0.maxX),\($0.maxY)]" } ?? "null"
            let list = places.joined(separator: ",")
            return #"{"length":\#(measured.length),"box":\#(box),"points":[\#(list)]}"#
        } catch {
            return #"{"error":"\#(error)"}"#
        }
    }

    private static func pair(_ point: Point?) -> String {
        point.map { "[\($0.x),\($0.y)]" } ?? "null"
    }
}
