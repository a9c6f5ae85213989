import RefreshProtocol

/// AppCoda's indicator. Letters light up and turn one after another, and then all of them grow
/// together. The cycle is always played to its end.
///
/// Letters without their own colour have the client's colour, which a track cannot change. Each
/// such letter therefore has a second layer in front of it, in the lit colour. The scale of this
/// layer is above 0 only while the letter is lit or turns back.
struct LettersIndicator {
    var text = "APPCODA"
    /// The colours in which letters light up, in turn.
    var colors = Self.standardColors
    /// The font size in points.
    var fontSize = 20.0
    /// The font family; nil for the font of the platform.
    var font: String?
    /// The distance between letters, in points.
    var spacing = 28.0
    /// The colour of letters that are not lit; nil for the client's text colour.
    var color: RGBColor?

    static let fields = ["text", "colors", "fontSize", "font", "spacing", "color"]

    /// Magenta, brown, yellow, red, green, blue, orange: UIKit's colours with these names.
    private static let standardColors = [
        RGBColor(255, 0, 255), RGBColor(153, 102, 51), RGBColor(255, 255, 0),
        RGBColor(255, 0, 0), RGBColor(0, 255, 0), RGBColor(0, 0, 255), RGBColor(255, 128, 0),
    ]
    /// The time in which a letter lights up, and the time in which it turns back and gets its own
    /// colour again, in milliseconds.
    private static let lighting = 100.0
    private static let returning = 50.0
    /// The time in which all letters grow, and the time in which they shrink, in milliseconds.
    private static let growing = 350.0
    private static let shrinking = 250.0
    private static let largest = 1.5

    init() {}

    init(_ options: PlacedValue) throws(ProgrammeError) {
        if let text = try options.member("text") {
            self.text = try text.text()
            guard IndicatorBounds.letters ~= self.text.count else {
                throw text.error("expected 1 to \(IndicatorBounds.letters.upperBound) letters")
            }
        }
        if let colors = try options.member("colors") { self.colors = try colors.colors() }
        if let size = try options.member("fontSize") {
            fontSize = try size.positiveNumber(upTo: IndicatorBounds.size)
        }
        font = try options.member("font")?.text()
        if let spacing = try options.member("spacing") {
            self.spacing = try spacing.positiveNumber(upTo: IndicatorBounds.size)
        }
        if let color = try options.member("color") { self.color = try color.color() }
    }

    var programme: Programme {
        let letters = text.map(String.init)
        let names = letters.indices.map { "letter\($0 + 1)" }
        var layers = letters.indices.map { layer(names[$0], letters, at: $0, color) }
        if color == nil {
            layers += letters.indices.map {
                layer(Self.litLayerName($0), letters, at: $0, litColor($0), isLit: true)
            }
        }
        var programme = Programme(layers: layers)
        programme.size = Size(
            width: max(Double(letters.count) * spacing, fontSize), height: fontSize * 2)
        programme.pull = names.map { Track($0, .opacity, [Key(0, 0), Key(1, 1)]) }
        programme.run = run(names)
        programme.setEnterTransitions(
            of: Programme.running,
            Transition(duration: 200, easing: .easeOut, properties: [.opacity]))
        programme.setFinish(.atCycle, over: 200, [])
        programme.setEnterTransitions(
            of: Programme.ended,
            Transition(duration: 200, easing: .easeIn, properties: [.opacity]))
        return programme
    }

    private static func litLayerName(_ index: Int) -> String { "lit\(index + 1)" }

    private func litColor(_ index: Int) -> RGBColor { colors[index % colors.count] }

    private func layer(
        _ name: String, _ letters: [String], at index: Int, _ color: RGBColor?,
        isLit: Bool = false
    ) -> Layer {
        let middle = Double(letters.count - 1) / 2
        var values: [LayerProperty: PropertyValue] = [
            .x: .number((Double(index) - middle) * spacing)
        ]
        values[isLit ? .scale : .opacity] = .number(0)
        values[.color] = color.map { .color($0) }
        return Layer(name, .text(letters[index], size: fontSize, font: font), values)
    }

    private func run(_ names: [String]) -> Programme.Run {
        let all = Double(names.count) * (Self.lighting + Self.returning)
        let end = all + Self.growing + Self.shrinking
        let growth = [Key(all, 1), Key(all + Self.growing, Self.largest), Key(end, 1)]
        var letters: [Track] = []
        var copies: [Track] = []
        for (index, name) in names.enumerated() {
            let start = Double(index) * (Self.lighting + Self.returning)
            let lit = start + Self.lighting
            let back = lit + Self.returning
            let turn = [Key(start, 0), Key(lit, .pi / 4), Key(back, 0)]
            letters.append(Track(name, .rotation, turn))
            letters.append(Track(name, .scale, growth))
            // A letter gets the lit colour immediately. While it turns back, it gets its own colour
            // again.
            if let color {
                letters.append(
                    Track(
                        name, .color,
                        [
                            Key(0, color), Key(start, litColor(index), .hold),
                            Key(lit, litColor(index)), Key(back, color),
                        ]))
            } else {
                copies.append(Track(Self.litLayerName(index), .rotation, turn))
                copies.append(
                    Track(
                        Self.litLayerName(index), .scale,
                        [Key(0, 0), Key(start, 1, .hold), Key(lit, 1), Key(back, 0)]))
            }
        }
        return Programme.Run(duration: end, tracks: letters + copies)
    }
}

extension PlacedValue {
    /// An array of colours, at least one.
    func colors() throws(ProgrammeError) -> [RGBColor] {
        let parts = try elements()
        guard IndicatorBounds.colors ~= parts.count else {
            throw error("expected 1 to \(IndicatorBounds.colors.upperBound) colours")
        }
        var colors: [RGBColor] = []
        for part in parts { colors.append(try part.color()) }
        return colors
    }
}
