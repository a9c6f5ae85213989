internal import Yams

/// Functions that read a value by its key. They return nil if the key is absent, or if the value is
/// invalid and was reported.
extension SettingsReader {
    mutating func integer(
        _ name: String, in settings: SettingsMapping, _ range: ClosedRange<Int>
    ) -> Int? {
        settings[name].flatMap { integer($0, key: settings.key(name), range: range) }
    }

    mutating func boolean(_ name: String, in settings: SettingsMapping) -> Bool? {
        settings[name].flatMap { boolean($0, key: settings.key(name)) }
    }

    mutating func string(_ name: String, in settings: SettingsMapping) -> String? {
        settings[name].flatMap { string($0, key: settings.key(name)) }
    }

    mutating func choice<Value: RawRepresentable<String>>(
        _ name: String, in settings: SettingsMapping, among values: [Value]
    ) -> Value? {
        settings[name].flatMap { choice($0, key: settings.key(name), among: values) }
    }

    /// Returns the entries of a nested mapping with `known` keys.
    mutating func mapping(
        _ name: String, in settings: SettingsMapping, known: [String]
    ) -> SettingsMapping? {
        settings[name].flatMap { mapping($0, key: settings.key(name), known: known) }
    }

    /// Returns the texts of a list that `check` accepts, without duplicates; nil if the key is
    /// absent.
    mutating func texts(
        _ name: String, in settings: SettingsMapping,
        check: (String) -> String? = { _ in nil }
    ) -> [String]? {
        guard let node = settings[name] else { return nil }
        let key = settings.key(name)
        var texts: [String] = []
        for item in list(node, key: key) {
            guard let text = string(item, key: key) else { continue }
            if let objection = check(text) {
                report("`\(text)`: \(objection)", key: key, at: item)
            } else if texts.contains(text) {
                report("`\(text)` occurs twice", key: key, at: item)
            } else {
                texts.append(text)
            }
        }
        return texts
    }
}
