/// A command letter of path data.
struct PathCommand: Hashable {
    enum Kind {
        case move
        case line
        case horizontal
        case vertical
        case cubic
        case smoothCubic
        case quadratic
        case smoothQuadratic
        case arc
        case close
    }

    var kind: Kind
    /// Whether the letter is lower-case. Points are then relative to the pen.
    var isRelative: Bool

    init(kind: Kind, isRelative: Bool) {
        self.kind = kind
        self.isRelative = isRelative
    }

    init?(letter: UInt8) {
        switch letter & ~0x20 {
        case UInt8(ascii: "M"): kind = .move
        case UInt8(ascii: "L"): kind = .line
        case UInt8(ascii: "H"): kind = .horizontal
        case UInt8(ascii: "V"): kind = .vertical
        case UInt8(ascii: "C"): kind = .cubic
        case UInt8(ascii: "S"): kind = .smoothCubic
        case UInt8(ascii: "Q"): kind = .quadratic
        case UInt8(ascii: "T"): kind = .smoothQuadratic
        case UInt8(ascii: "A"): kind = .arc
        case UInt8(ascii: "Z"): kind = .close
        default: return nil
        }
        isRelative = letter & 0x20 != 0
    }

    /// The command for further values that follow without a letter.
    var repeated: PathCommand {
        kind == .move ? PathCommand(kind: .line, isRelative: isRelative) : self
    }
}
