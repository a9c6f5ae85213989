import RefreshProtocol
import Testing

/// Tests of each option in the option objects of edges.
@Suite struct OptionDecodingTests {
    /// Each option of an edge on the wire, and its meaning.
    private static let options: [(wire: String, setting: OptionSetting)] = [
        (#""enabled":false"#, OptionSetting(.enabled, .flag(false))),
        (#""trigger":"platform""#, OptionSetting(.trigger, .keyword("platform"))),
        (#""length":61.5"#, OptionSetting(.length, .number(61.5))),
        (#""start":30"#, OptionSetting(.start, .number(30))),
        (#""room":null"#, OptionSetting(.room, .none)),
        (#""room":80"#, OptionSetting(.room, .number(80))),
        (#""preload":-1"#, OptionSetting(.preload, .number(-1))),
        (#""hysteresis":8"#, OptionSetting(.hysteresis, .number(8))),
        (#""slop":0"#, OptionSetting(.slop, .number(0))),
        (#""strict":true"#, OptionSetting(.strict, .flag(true))),
        (#""hold":false"#, OptionSetting(.hold, .flag(false))),
        (#""zone":20"#, OptionSetting(.zone, .number(20))),
        (#""zone":null"#, OptionSetting(.zone, .none)),
        (#""floating":true"#, OptionSetting(.floating, .flag(true))),
        (#""insetDuration":99.5"#, OptionSetting(.insetDuration, .number(100))),
        (#""offsetDuration":0.4"#, OptionSetting(.offsetDuration, .number(0))),
        (#""intents":["key","finger","key"]"#, OptionSetting(.intents, .intents([.finger, .key]))),
        (#""intents":[ ]"#, OptionSetting(.intents, .intents([]))),
        (#""whileLoading":"queue""#, OptionSetting(.whileLoading, .keyword("queue"))),
        (#""onCancel":"release""#, OptionSetting(.onCancel, .keyword("release"))),
        (#""closing":"at\u0053tep""#, OptionSetting(.closing, .keyword("atStep"))),
        (#""step":1650"#, OptionSetting(.step, .number(1650))),
        (#""seesCode":true"#, OptionSetting(.seesCode, .flag(true))),
        (#""pullsAgain":false"#, OptionSetting(.pullsAgain, .flag(false))),
        (#""firesAgain":true"#, OptionSetting(.firesAgain, .flag(true))),
        (#""minVisible":300"#, OptionSetting(.minVisible, .number(300))),
        (#""successHold":400"#, OptionSetting(.successHold, .number(400))),
        (#""failureHold":1500"#, OptionSetting(.failureHold, .number(1500))),
        (#""coolDown":2000"#, OptionSetting(.coolDown, .number(2000))),
        (#""changes":"silent""#, OptionSetting(.changes, .keyword("silent"))),
        (#""staleAfter":3600000"#, OptionSetting(.staleAfter, .number(3_600_000))),
        (#""repeat":"newest""#, OptionSetting(.repeat, .keyword("newest"))),
        (#""pollMs":29999.5"#, OptionSetting(.pollMs, .number(30_000))),
        (#""progressMax":1.5"#, OptionSetting(.progressMax, .number(1.5))),
        (#""indicator":"letters""#, OptionSetting(.indicator, .keyword("letters"))),
        (#""indicator":null"#, OptionSetting(.indicator, .none)),
        (#""deadline":null"#, OptionSetting(.deadline, .none)),
        (#""deadline":5000"#, OptionSetting(.deadline, .number(5000))),
        (#""floor":null"#, OptionSetting(.floor, .none)),
        (
            #""floor":{"timeout":9,"length":200,"velocity":1500,"duration":250,"closing":0.5}"#,
            OptionSetting(
                .floor,
                .floor([
                    OptionSetting(.length, .number(200)), OptionSetting(.closing, .number(0.5)),
                    OptionSetting(.velocity, .number(1500)),
                    OptionSetting(.duration, .number(250)), OptionSetting(.timeout, .number(9)),
                ]))
        ),
        (#""mode":"user""#, OptionSetting(.mode, .keyword("user"))),
        (#""preloadItems":10"#, OptionSetting(.preloadItems, .number(10))),
        (#""leadTime":200"#, OptionSetting(.leadTime, .number(200))),
        (#""leadTime":null"#, OptionSetting(.leadTime, .none)),
        (#""rearm":"content""#, OptionSetting(.rearm, .keyword("content"))),
        (#""anyDirection":true"#, OptionSetting(.anyDirection, .flag(true))),
        (#""whileRefreshing":"reject""#, OptionSetting(.whileRefreshing, .keyword("reject"))),
        (#""fill":5"#, OptionSetting(.fill, .number(5))),
        (#""backOff":1000"#, OptionSetting(.backOff, .number(1000))),
        (#""backOffMax":30000"#, OptionSetting(.backOffMax, .number(30_000))),
        (#""asksAgain":false"#, OptionSetting(.asksAgain, .flag(false))),
    ]

    @Test("Every option of an edge decodes to its documented meaning", arguments: options.indices)
    func each(_ index: Int) {
        let (wire, setting) = Self.options[index]
        #expect(settings(wire) == [setting], "\(wire)")
    }

    @Test("The array `options` contains every option of an edge")
    func complete() {
        let paging: Set<OptionField> = [.style, .first, .size]
        let floor: Set<OptionField> = [.velocity, .duration, .timeout]
        let known = Set(Self.options.map(\.setting.field))
        let pan: Set<OptionField> = [.damping, .maximumPull, .deceleration]
        let frames: Set<OptionField> = [.rate, .language, .motion]
        #expect(
            Set(OptionField.allCases.filter { !$0.needsFeatures }).subtracting(known)
                == paging.union(floor).union(pan)
                .union(frames))
    }

    @Test(
        "The fault for a wrong `frames` names the field",
        arguments: [
            (#"{"rate":31}"#, FaultCode.valueOutOfRange, "rate"),
            (#"{"rate":0}"#, .valueOutOfRange, "rate"), (#"{"rate":1.5}"#, .invalidField, "rate"),
            (#"{"mode":"vector"}"#, .unsupportedFrames, "frames"),
            (#"{"mode":1}"#, .invalidField, "mode"),
            (#"{"language":1}"#, .invalidField, "language"),
            (#"{"motion":"less"}"#, .invalidField, "motion"),
            (#"{"rate":1,"rate":2}"#, .duplicateField, "frames"),
        ])
    func frames(_ text: String, _ code: FaultCode, _ field: String) {
        let outcome = decode(#"{"type":"hello","protocol":1,"frames":"# + text + "}").first
        guard case .fault(let fault) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(fault.code == code)
        #expect(fault.fieldName == field)
    }

    @Test("Null has no effect if it is not a value of the option")
    func nulls() {
        #expect(settings(#""enabled":null,"length":null,"trigger":null,"fill":null"#) == [])
        #expect(settings(#""intents":null,"step":null"#) == [])
    }

    @Test("An option of `paging` or `floor` is unknown in an edge, and may occur only once")
    func otherObjects() {
        #expect(settings(#""size":"x","timeout":[],"style":1"#) == [])
        let twice = #"{"type":"configure","view":"a","seq":1,"top":{"size":1,"size":1}}"#
        #expect(decode(twice).first?.fault?.code == .duplicateField)
        #expect(decode(twice).first?.fault?.fieldName == "top")
    }

    @Test("An option that needs features is unknown without features, whatever its value")
    func needsFeatures() {
        let wire =
            #"{"type":"configure","view":"list","seq":7,"top":{"repeat":1,"repeat":2,"pollMs":-1}}"#
        var decoder = MessageDecoder(limits: Limits())
        var edges = EdgeSettings()
        edges.top = .overrides([])
        #expect(
            decoder.outcomes(of: Array(wire.utf8)).first?.message
                == .configure(MessageHeader(view: "list", seq: 7), edges, nil))
        #expect(decoder.consumeIgnored().unknownOptions == 3)
        decoder.features = []
        #expect(decoder.outcomes(of: Array(wire.utf8)).first?.fault?.code == .duplicateField)
        #expect(
            decode(#"{"type":"disappear","view":"list","seq":7}"#, features: nil)
                .first?.fault?.code == .unknownType)
    }

    @Test("The views of a hello have options that need features only if the hello has features")
    func hello() {
        for (features, count) in [("", 0), (#","features":[]"#, 1), (#","features":null"#, 0)] {
            let wire =
                #"{"type":"hello","protocol":1,"views":[{"view":"a","profile":"default","#
                + #""top":{"repeat":"join"}}]\#(features)}"#
            guard case .hello(let hello) = decode(wire, features: nil).first?.message,
                case .overrides(let settings) = hello.views.first?.edges.top
            else {
                Issue.record("\(wire)")
                continue
            }
            #expect(settings.count == count, "\(features)")
        }
    }

    @Test("A fault names the option in the floor, or the floor if it is not an object")
    func floorFaults() {
        let cases: [(wire: String, code: FaultCode, field: String)] = [
            (#"{"velocity":"fast"}"#, .invalidField, "velocity"),
            (#"{"closing":1.5}"#, .valueOutOfRange, "closing"),
            (#"{"closing":"atOnce"}"#, .invalidField, "closing"),
            (#"{"timeout":3600001}"#, .valueOutOfRange, "timeout"),
            ("[]", .invalidField, "floor"), ("true", .invalidField, "floor"),
            (#"{"length":1,"length":2}"#, .duplicateField, "floor"),
        ]
        for (wire, code, field) in cases {
            let text = #"{"type":"configure","view":"a","seq":1,"bottom":{"floor":\#(wire)}}"#
            let fault = decode(text).first?.fault
            #expect(fault?.code == code && fault?.fieldName == field, "\(wire): \(fault as Any)")
        }
    }

    @Test("A fault names the option in `pan`, or `pan` if it is not an object")
    func panFaults() {
        let cases: [(wire: String, code: FaultCode, field: String)] = [
            (#"{"damping":"rubber"}"#, .invalidField, "damping"),
            (#"{"damping":1}"#, .invalidField, "damping"),
            (#"{"maximumPull":"far"}"#, .invalidField, "maximumPull"),
            (#"{"maximumPull":1e8}"#, .valueOutOfRange, "maximumPull"),
            (#"{"deceleration":true}"#, .invalidField, "deceleration"),
            ("[]", .invalidField, "pan"), (#""fast""#, .invalidField, "pan"),
            (#"{"damping":"none","damping":"none"}"#, .duplicateField, "pan"),
        ]
        for (wire, code, field) in cases {
            for type in [#""configure""#, #""attach","profile":"default""#] {
                let fault = decode(#"{"type":\#(type),"view":"a","seq":1,"pan":\#(wire)}"#).first?
                    .fault
                #expect(
                    fault?.code == code && fault?.fieldName == field, "\(wire): \(fault as Any)")
            }
        }
    }

    @Test("Every option value is written as it was read")
    func texts() {
        for (wire, setting) in Self.options {
            var out = ByteBuffer()
            setting.write(to: &out)
            let written = String(decoding: out.bytes, as: UTF8.self)
            #expect(settings(written) == [setting], "\(wire) became \(written)")
        }
    }

    /// The settings in an option object with these members.
    private func settings(_ members: String) -> [OptionSetting]? {
        let wire = #"{"type":"configure","view":"list","seq":7,"trailing":{\#(members)}}"#
        guard case .configure(_, let edges, nil, _, _) = decode(wire).first?.message,
            case .overrides(let settings) = edges.trailing
        else { return nil }
        return settings
    }
}
