import Foundation
import RefreshIndicator
import RefreshProtocol
import Testing
import Workbench

@Suite("docs/indicators.md")
struct IndicatorPageTests {
    @Test("The table of bounds equals the bounds in the code")
    func bounds() throws {
        let page = try DocumentationPage.text("docs/indicators.md")
        let rows = ProgrammeLimits.table.map {
            "| `\($0.name)` | \($0.value) | \($0.meaning) |"
        }
        let table = "| bound | value | of |\n|---|---|---|\n" + rows.joined(separator: "\n") + "\n"
        #expect(page.contains(table), "wanted:\n\(table)")
    }

    @Test("docs/indicators.md contains every member name and every keyword of a programme")
    func words() throws {
        let page = try DocumentationPage.text("docs/indicators.md")
        let words =
            Programme.memberNames + Layer.kinds.flatMap { [$0.name] + $0.members }
            + LayerProperty.allCases.map(\.rawValue) + Programme.Ending.allCases.map(\.rawValue)
            + Programme.Place.allCases.map(\.rawValue) + Layer.LineCap.allCases.map(\.rawValue)
            + Easing.named.map { "\"\($0.name)\"" } + Easing.families.map { "{\"\($0)\"" }
            + Easing.Jump.allCases.map(\.rawValue) + BuiltInIndicator.allCases.map(\.rawValue)
            + Programme.edgeOptions.map(\.field.wireName)
        for word in words {
            #expect(page.contains("`\(word)`") || page.contains("`\(word):"), "\(word)")
        }
    }
}
