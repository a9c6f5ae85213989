@testable import RefreshIndicator

/// A random path with absolute commands, and the same path with relative ones. Every command can
/// occur.
struct RandomPath {
    private(set) var absolute = ""
    private(set) var relative = ""
    private var random: SeededGenerator
    private var current = Point.zero
    private var origin = Point.zero

    init(using random: inout SeededGenerator, length: Int) {
        self.random = random
        move()
        for _ in 0..<length { step() }
        random = self.random
    }

    private mutating func step() {
        switch random.below(20) {
        case 0: move()
        case 1: close()
        case 2...4: points("L", 1)
        case 5: single("H")
        case 6: single("V")
        case 7...9: points("C", 3)
        case 10, 11: points("S", 2)
        case 12...14: points("Q", 2)
        case 15, 16: points("T", 1)
        default: arc()
        }
    }

    private mutating func move() {
        points("M", 1)
        origin = current
    }

    private mutating func close() {
        absolute += "Z"
        relative += "z"
        current = origin
    }

    private mutating func points(_ letter: Character, _ count: Int) {
        begin(letter)
        var last = current
        for _ in 0..<count {
            last = point()
            add(last.x, last.x - current.x)
            add(last.y, last.y - current.y)
        }
        current = last
    }

    private mutating func single(_ letter: Character) {
        begin(letter)
        let value = random.coordinate()
        if letter == "H" {
            add(value, value - current.x)
            current.x = value
        } else {
            add(value, value - current.y)
            current.y = value
        }
    }

    private mutating func arc() {
        begin("A")
        for value in [random.coordinate(), random.coordinate(), Double(random.below(720) - 360)] {
            add(value, value)
        }
        for _ in 0..<2 {
            let flag = random.chance(50) ? " 1" : " 0"
            absolute += flag
            relative += flag
        }
        let end = random.chance(5) ? current : point()
        add(end.x, end.x - current.x)
        add(end.y, end.y - current.y)
        current = end
    }

    /// Returns a random point, or sometimes the current point.
    private mutating func point() -> Point {
        random.chance(10) ? current : Point(x: random.coordinate(), y: random.coordinate())
    }

    private mutating func begin(_ letter: Character) {
        absolute += String(letter)
        relative += letter.lowercased()
    }

    private mutating func add(_ value: Double, _ difference: Double) {
        absolute += " \(value)"
        relative += " \(difference)"
    }
}
