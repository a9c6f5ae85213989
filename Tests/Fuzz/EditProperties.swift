import RefreshProtocol

@testable import RefreshBackends
@testable import RefreshBroker

/// The properties of the answer to an edit, of every message of a worker, and of the operation of
/// an edit. The first byte of the input selects the status of an HTTP answer. The same bytes after
/// it are read as the body of the answer, as the message, and as the operation.
enum EditProperties {
    private static let statuses = [200, 200, 200, 204, 201, 302, 404, 503]
    private static let hash = SipHash(key: 1, 2)

    static func check(_ input: [UInt8]) {
        guard let first = input.first, let pointer = JSONPointer("/id") else { return }
        let bytes = Array(input.dropFirst())
        checkAnswer(bytes, status: statuses[Int(first) % statuses.count], pointer)
        checkMessage(bytes, pointer)
        checkOperation(bytes, pointer)
    }

    private static func checkAnswer(_ body: [UInt8], status: Int, _ pointer: JSONPointer) {
        let result = item(body, status)
        require(item(body, status) == result, "the same answer is read equally twice")
        switch result {
        case .success(let item?):
            require(status == 200, "only an answer with the status 200 has an item")
            checkItem(item, of: body, pointer)
        case .success(nil): require(status == 200 || status == 204, "only these statuses confirm")
        case .failure(let error): check(error)
        }
    }

    private static func item(_ body: [UInt8], _ status: Int) -> Result<[UInt8]?, LoadFailure> {
        var answer = HTTPAnswer(status: status, fields: ResponseFields())
        answer.body = body
        do throws(LoadFailure) {
            return .success(try HTTPEdit.item(of: answer))
        } catch {
            return .failure(error)
        }
    }

    private static func checkItem(_ item: [UInt8], of answer: [UInt8], _ pointer: JSONPointer) {
        require(item.first == UInt8(ascii: "{"), "the item is an object")
        require(item.last == UInt8(ascii: "}"), "the item is an object")
        require(item.count <= answer.count, "the item is a part of the answer")
        do throws(LoadFailure) {
            let edited = try EditedItem(reading: item, at: pointer, hashedBy: hash)
            require(edited.item == item, "the item keeps its bytes")
            require(!edited.key.text.isEmpty, "a key has a text")
            let update = ItemOperation(.update, edited.key, item: item, hashedBy: hash)
            checkRoundTrip(update, pointer)
        } catch {
            check(error)
        }
    }

    private static func check(_ failure: LoadFailure) {
        require(
            failure.code.rawValue.hasPrefix("backend"), "the code of a failure is a backend code")
        require(!failure.message.isEmpty, "a failure has a message")
    }

    private static func checkMessage(_ message: [UInt8], _ pointer: JSONPointer) {
        let result = read(message)
        require(read(message) == result, "the same message is read equally twice")
        let load = WorkerMessageReader.load(inBeginning: message.span)
        switch result {
        case .success(.edited(let id, let item)):
            require(load == id, "the load of a message is found in its beginning")
            if let item { checkItem(item, of: message, pointer) }
        case .success(.page(let id, let page)):
            require(load == id, "the load of a message is found in its beginning")
            require(page.items.first == 0x5B && page.items.last == 0x5D, "items are an array")
        case .success(.progress(_, let progress)):
            require((0...1).contains(progress), "a progress is in its range")
        case .success(.failed(_, let failure)): check(failure)
        case .success(.register(let registration)):
            require(
                WorkerRegistration.capacityRange.contains(registration.capacity),
                "a capacity is in its range")
        case .success(.changed): break
        case .failure(let fault): check(fault.failure)
        }
    }

    private static func read(_ message: [UInt8]) -> Result<WorkerMessage, WorkerMessageFault> {
        do throws(WorkerMessageFault) {
            return .success(try WorkerMessageReader.read(message.span))
        } catch {
            return .failure(error)
        }
    }

    private static func checkOperation(_ text: [UInt8], _ pointer: JSONPointer) {
        let operation = ItemOperation(reading: text, at: pointer, hashedBy: hash)
        require(
            ItemOperation(reading: text, at: pointer, hashedBy: hash) == operation,
            "the same operation is read equally twice")
        if let operation { checkRoundTrip(operation, pointer) }
    }

    private static func checkRoundTrip(_ operation: ItemOperation, _ pointer: JSONPointer) {
        var out = ByteBuffer(capacity: 64)
        operation.append(to: &out)
        require(out.bytes.count == operation.jsonBytes, "the length of an operation is known")
        require(
            ItemOperation(reading: out.bytes, at: pointer, hashedBy: hash) == operation,
            "a backend reads the same operation")
        require(
            operation.isAccepted(asOneOf: [operation.kind], itemKey: pointer),
            "an operation is accepted where it was read")
    }
}
