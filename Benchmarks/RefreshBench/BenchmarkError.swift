/// The benchmark did not measure what it says it measures.
enum BenchmarkError: Error {
    case unexpected(String)
}
