/// A number in an indicator's frame. The number changes with the pull.
package struct PulledNumber: Sendable {
    /// The index of its curve among the curves of the pull.
    package let curve: Int
    /// The index of the number among the numbers that can change.
    package let place: Int
    /// The index of its layer among the layers that can change.
    let layer: Int
    /// The text before the number if it is the first of a frame. The two members below are for a
    /// number that is the first of its layer, and for a number that follows another one of its
    /// layer.
    let first: PreparedTexts.Text
    let opening: PreparedTexts.Text
    let next: PreparedTexts.Text

    package init(
        curve: Int, place: Int, layer: Int, first: PreparedTexts.Text, opening: PreparedTexts.Text,
        next: PreparedTexts.Text
    ) {
        self.curve = curve
        self.place = place
        self.layer = layer
        self.first = first
        self.opening = opening
        self.next = next
    }
}

/// Writes the frames of an indicator that only the pull moves. Source: docs/indicators.md,
/// "Frames".
///
/// It is in this module, because a call for each number would take as long as writing the number.
package enum PulledFrameEncoder {
    /// Appends `"frame":{…}` with the numbers that differ from those that were sent, and records
    /// them as sent. If another member precedes the frame, a comma comes first.
    ///
    /// `values` are the current values of the curves, in ten-thousandths. `sent` are the values
    /// that were sent, by `place`. `texts` are the texts of the numbers.
    package static func write(
        _ numbers: [PulledNumber], of values: [Int32], after sent: inout [Int32],
        texts: PreparedTexts, behindMember: Bool, to out: inout ByteBuffer
    ) {
        let (numbers, values) = (numbers.span, values.span)
        var sent = sent.mutableSpan
        // The index of the layer that was written last; -1 if no layer was written yet.
        var layer = -1
        for index in numbers.indices {
            let value = values[numbers[index].curve]
            guard value != sent[numbers[index].place] else { continue }
            sent[numbers[index].place] = value
            let opening =
                numbers[index].layer == layer
                ? numbers[index].next
                : layer >= 0
                    ? numbers[index].opening
                    : numbers[index].first.dropFirst(behindMember ? 0 : 1)
            layer = numbers[index].layer
            out.append(opening, of: texts, tenThousandths: value)
        }
        if layer >= 0 { out.append(literal: "}}") }
    }
}
