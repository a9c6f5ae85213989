internal import RefreshBroker

/// Reads the settings of a `file` backend. Source: docs/backends.md, "file".
enum FileReader {
    static func settings(
        _ section: FeedSection, with reader: inout SettingsReader
    ) -> FileSettings? {
        let path = reader.requiredPath("path", in: section)
        let format = reader.choice("format", in: section.settings, among: FileFormat.allCases)
        let bytes = reader.integer("bytesMax", in: section.settings, 1024...1_073_741_824)
        guard let path else { return nil }
        if !section.isPart, section.settings["format"] == nil, FileFormat(extensionOf: path) == nil
        {
            reader.report(
                "`format` is missing; the extension of `\(path)` does not name one",
                key: section.settings.path, at: section.node)
        }
        var settings = FileSettings(path: path, folder: section.folder.absolute, format: format)
        settings.bytesMax = bytes ?? settings.bytesMax
        return reader.checked(settings, in: section) { settings throws(BackendConfigurationError) in
            _ = try ConfinedPath(settings.path, in: settings.folder)
        }
    }
}
