/// A number in an indicator's frame. The number changes with the pull.
package struct PulledNumber: Sendable {
    /// The index of the curve that gives the number for a pull.
    package let curve: Int
    /// The index of the number among the numbers that can change.
    package let place: Int
    /// The index of the number's layer among the layers that can change.
    let layer: Int
    /// The text before the number if the number is the first of a frame. `opening` is the text if
    /// the number is the first of its layer, but not of the frame. `next` is the text if the number
    /// follows another number of its layer.
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

/// Writes the frames of an indicator while only the pull changes it. Source: docs/indicators.md,
/// "Frames".
///
/// The encoder is in this module, because a call to another module for each number would take as
/// long as writing the number.
package enum PulledFrameEncoder {
    /// Appends `"frame":{…}` with the numbers that differ from those that were sent, and records
    /// the appended numbers as sent. If another member precedes the frame, a comma comes first.
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
