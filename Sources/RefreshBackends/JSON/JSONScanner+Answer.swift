internal import RefreshProtocol

/// Methods that scan parts of a backend's answer. Their errors include the position.
extension JSONScanner {
    /// Skips any value and returns its range. `depth` is the number of arrays and objects that
    /// enclose the value. The value is forwarded byte for byte, so a number that underflows a
    /// double is accepted here.
    @_lifetime(self: copy self)
    mutating func skipAnswerValue(inside depth: Int) throws(AnswerFault) -> Range<Int> {
        do throws(FaultCode) {
            return try skipValue(depth: depth, allowingUnderflow: true)
        } catch {
            throw AnswerFault(stoppedBy: error, at: index)
        }
    }

    @_lifetime(self: copy self)
    mutating func readAnswerString() throws(AnswerFault) -> JSONStringRange {
        do throws(FaultCode) {
            return try readString()
        } catch {
            throw AnswerFault(stoppedBy: error, at: index)
        }
    }

    /// Skips whitespace, and then consumes `byte`. Throws if another byte follows the whitespace.
    @_lifetime(self: copy self)
    mutating func require(_ byte: UInt8) throws(AnswerFault) {
        guard consumeByte(byte) else { throw AnswerFault(.malformed, at: index) }
    }
}
