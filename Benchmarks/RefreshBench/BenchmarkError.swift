/// The benchmark has not measured what it should measure.
enum BenchmarkError: Error {
    case unexpected(String)
}
