import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Returns a listener that handles one request of a connection at a time, in the order in which they arrived.
 * Node emits pipelined requests all at once, so that one connection could take every database connection.
 * Nothing is read from a connection while one of its requests waits.
 */
export function serveInOrder(handle: RequestListener): RequestListener {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
    const previous = lastResponses.get(socket);
    lastResponses.set(socket, response);
    if (!previous || previous.writableFinished) return handle(request, response);
    let isWaiting = true;
    previous.once("close", () => {
      isWaiting = false;
      // A connection that is closing answers no more requests.
      if (!socket.writable) return;
      if (lastResponses.get(socket) === response) socket.resume();
      handle(request, response);
    });
    // As a microtask, because Node resumes the socket after each request that it has parsed.
    queueMicrotask(() => {
      if (isWaiting) socket.pause();
    });
  };
}
