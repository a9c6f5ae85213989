internal import RefreshProtocol

/// Reading a backend's answer: the scanner's steps, with the place in what they throw.
extension JSONScanner {
    /// Takes any value; returns where it stood, `depth` containers being open around it. It goes on
    /// byte for byte, so a number too small for a double is the business of whoever reads it.
    @_lifetime(self: copy self)
    mutating func takeValue(inside depth: Int) throws(AnswerFault) -> Range<Int> {
        do throws(FaultCode) {
            return try skipValue(depth: depth, allowingUnderflow: true)
        } catch {
            throw AnswerFault(stoppedBy: error, at: index)
        }
    }

    @_lifetime(self: copy self)
    mutating func takeString() throws(AnswerFault) -> JSONStringRange {
        do throws(FaultCode) {
            return try string()
        } catch {
            throw AnswerFault(stoppedBy: error, at: index)
        }
    }

    /// Skips space and takes `byte`, which must stand there.
    @_lifetime(self: copy self)
    mutating func require(_ byte: UInt8) throws(AnswerFault) {
        guard take(byte) else { throw AnswerFault(.malformed, at: index) }
    }
}
