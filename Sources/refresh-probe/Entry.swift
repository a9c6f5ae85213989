internal import ProbeCommand

@main
enum Entry {
    static func main() async { await ProbeEntry.main() }
}
