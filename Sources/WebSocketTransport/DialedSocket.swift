final class DialedSocket {
    func opened(_ wsi: OpaquePointer) {}
    func received(_ bytes: UnsafeRawBufferPointer) {}
    func becameWritable() -> Int32 { 0 }
    func peerCloses(_ bytes: UnsafeRawBufferPointer) {}
    func failed(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) {}
    func closed() {}
}
