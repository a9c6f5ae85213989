import RefreshProtocol
import Testing

@Suite struct RegistryTests {
    @Test("Limits have unique names, and each name leads to its own property")
    func limitPaths() {
        #expect(Set(Limits.all.map(\.name)).count == Limits.all.count)
        #expect(
            Mirror(reflecting: Limits()).children.compactMap(\.label) == Limits.all.map(\.name))
        for entry in Limits.all {
            var limits = Limits()
            limits[keyPath: entry.path] = -7
            let changed = Mirror(reflecting: limits).children.filter { $0.value as? Int == -7 }
            #expect(changed.map(\.label) == [entry.name])
            #expect(limits[entry.name] == -7)
        }
        #expect(Limits()["noSuchLimit"] == nil)
    }

    @Test("Every default is a value that an operator may choose")
    func limitDefaults() {
        for entry in Limits.all {
            #expect(entry.range.contains(Limits()[keyPath: entry.path]), "\(entry.name)")
        }
    }

    @Test("Fault codes are unique, and each has a message and advice")
    func faults() {
        let codes = FaultCode.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        for code in FaultCode.allCases {
            #expect(FaultCode(rawValue: code.rawValue) == code)
            #expect(code.message.hasSuffix(".") && code.message.utf8.count > 10, "\(code)")
            #expect(code.advice.hasSuffix("."), "\(code)")
        }
        #expect(Set(FaultCode.allCases.map(\.message)).count == codes.count)
    }

    @Test("Diagnostic codes are unique, differ from fault codes, and have a message and advice")
    func diagnostics() {
        let codes = DiagnosticCode.allCases.map(\.rawValue)
        #expect(
            Set(codes + FaultCode.allCases.map(\.rawValue)).count
                == codes.count + FaultCode.allCases.count)
        for code in DiagnosticCode.allCases {
            #expect(code.message.hasSuffix(".") && code.advice.hasSuffix("."), "\(code)")
        }
        #expect(Set(DiagnosticCode.allCases.map(\.message)).count == codes.count)
    }

    @Test("Close codes are standard codes, or in the range that is reserved for applications")
    func closes() {
        for code in CloseCode.allCases {
            #expect(
                [1000, 1007, 1009].contains(code.rawValue) || (4000...4299).contains(code.rawValue),
                "\(code)")
            #expect(code.meaning.hasSuffix(".") && code.advice.hasSuffix("."))
        }
    }

    @Test("A fault is temporary exactly if its close code allows a reconnection")
    func closingFaults() {
        for fault in FaultCode.allCases {
            guard let close = fault.closeCode else { continue }
            #expect(fault.isTemporary == (4100...4299).contains(close.rawValue), "\(fault)")
        }
    }

    @Test("Every limit that a text names exists")
    func namedLimits() {
        let texts = FaultCode.allCases.map(\.message) + CloseCode.allCases.map(\.meaning)
        for text in texts {
            for (index, word) in text.split(separator: "`", omittingEmptySubsequences: false)
                .enumerated()
            where !index.isMultiple(of: 2) && (word.hasSuffix("Max") || word.hasSuffix("Ms")) {
                #expect(Limits()[String(word)] != nil, "\(text)")
            }
        }
    }
}
