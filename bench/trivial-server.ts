// Measures the maximum throughput of the client: sends one prepared response without
// parsing requests or headers.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

const [file = ""] = process.argv.slice(2);
const body = readFileSync(file);
const response = Buffer.concat([
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.byteLength}\r\n\r\n`),
  body,
]);
const END_OF_REQUEST = Buffer.from("\r\n\r\n");

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  socket.on("data", (request) => {
    if (request.subarray(-END_OF_REQUEST.byteLength).equals(END_OF_REQUEST)) socket.write(response);
  });
}).listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : null);
});
