"""Tests the transport of the package with the library `websockets`, over loopback."""

import asyncio
import pathlib
import ssl
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))

import refreshd  # noqa: E402
import websockets  # noqa: E402


class TransportTest(unittest.IsolatedAsyncioTestCase):
    async def served(self, serve):
        """Serves connections by this function. Returns the URL."""
        server = await websockets.serve(serve, "127.0.0.1", 0, subprotocols=["refresh.v1"])
        self.addCleanup(server.close)
        return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def test_text_is_sent_and_received_with_the_subprotocol_and_the_headers(self):
        async def serve(socket):
            headers = socket.request.headers if hasattr(socket, "request") else socket.request_headers
            await socket.send(f"{socket.subprotocol} {headers['X-Route']} {await socket.recv()}")
            await socket.wait_closed()
        transport = await refreshd.websocket(headers={"X-Route": "7"})(await self.served(serve))
        await transport.send("hello")
        self.assertEqual(await transport.receive(), "refresh.v1 7 hello")
        await transport.close()
        with self.assertRaises(refreshd.ConnectionLost):
            await transport.send("late")

    async def test_the_end_of_a_connection_has_its_close_code(self):
        async def serve(socket):
            await socket.recv()
            await socket.close(4100)
        transport = await refreshd.websocket()(await self.served(serve))
        await transport.send("x")
        with self.assertRaises(refreshd.ConnectionLost) as lost:
            await transport.receive()
        self.assertEqual(lost.exception.code, 4100)

    async def test_a_connection_that_is_cut_has_the_code_1006(self):
        async def serve(socket):
            socket.transport.abort()
        transport = await refreshd.websocket()(await self.served(serve))
        with self.assertRaises(refreshd.ConnectionLost) as lost:
            await transport.receive()
        self.assertEqual(lost.exception.code, 1006)

    async def refusing(self, status, *headers, body=""):
        """The URL of a server that answers each upgrade with this status, these headers and this body."""
        async def answer(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            head = (f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "Connection: close", "", body)
            writer.write("\r\n".join(head).encode())
            await writer.drain()
            writer.close()
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        self.addCleanup(server.close)
        return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def test_a_refused_upgrade_has_its_status_and_the_time_to_wait(self):
        url = await self.refusing("503 Busy", "Retry-After: 7")
        with self.assertRaisesRegex(refreshd.ConnectFailed, "503") as failed:
            await refreshd.websocket()(url)
        self.assertEqual(failed.exception.retry_after, 7)

    async def test_a_refused_upgrade_has_the_code_and_the_message_of_its_answer(self):
        url = await self.refusing("400 Bad Request", body='{"code":"wrongVersion","message":"It is 13."}')
        with self.assertRaisesRegex(refreshd.ConnectFailed, r"400.*\(wrongVersion: It is 13\.\)") as failed:
            await refreshd.websocket()(url)
        self.assertEqual(failed.exception.answer, "wrongVersion: It is 13.")

    async def test_an_answer_in_other_words_is_no_explanation(self):
        for body in ("", "<html>", "[]", '"code"', '{"code":"x"}'):
            url = await self.refusing("400 Bad Request", body=body)
            with self.assertRaises(refreshd.ConnectFailed) as failed:
                await refreshd.websocket()(url)
            self.assertIsNone(failed.exception.answer)

    async def test_a_path_that_is_not_served_has_its_status(self):
        url = await self.refusing("404 Not Found")
        with self.assertRaises(refreshd.ConnectFailed) as failed:
            await refreshd.websocket()(url)
        self.assertEqual(failed.exception.status, 404)

    async def test_a_redirection_to_a_page_is_a_failed_attempt(self):
        for target, words in (("http://127.0.0.1:9/login", "http://127.0.0.1:9/login"), ("http://[", "Invalid IPv6"),
                              ("ws://127.0.0.1:99999/", "out of range")):
            url = await self.refusing("302 Found", f"Location: {target}")
            with self.subTest(target=target), self.assertRaisesRegex(refreshd.ConnectFailed, words):
                await refreshd.websocket()(url)

    async def test_a_context_of_tls_for_a_connection_without_tls_is_a_mistake(self):
        with self.assertRaisesRegex(ValueError, "wss://"):
            await refreshd.websocket(ssl=ssl.create_default_context())("ws://127.0.0.1:8080/")

    async def test_a_url_that_is_not_one_of_a_websocket_is_refused_at_once(self):
        cause = {
            "http://127.0.0.1:8080/v1/session": "must begin with ws:// or wss://",
            "127.0.0.1:8080/v1/session": "must begin with ws:// or wss://",
            "ws:///v1/session": "must name a host",
            "ws://127.0.0.1:0/v1/session": "a port from 1 to 65535",
            "ws://127.0.0.1:99999/v1/session": "a port from 1 to 65535",
            "ws://127.0.0.1:http/v1/session": "a port from 1 to 65535",
            "ws://[::1/v1/session": "Invalid IPv6 URL",
        }
        for url, words in cause.items():
            with self.subTest(url=url):
                with self.assertRaisesRegex(ValueError, words) as raised:
                    refreshd.connect(url)
                self.assertIn(url, str(raised.exception))
                self.assertIn("such as ws://127.0.0.1:8080/v1/session", str(raised.exception))

    async def test_a_port_without_a_listener_is_no_connection(self):
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        with self.assertRaises(refreshd.ConnectFailed):
            await refreshd.websocket()(f"ws://127.0.0.1:{port}/")


if __name__ == "__main__":
    unittest.main()
