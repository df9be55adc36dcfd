import { once } from 'node:events';
import net from 'node:net';
import type { TestContext } from 'node:test';

/** One connection as the server sees it. */
export interface Connection {
  socket: net.Socket;
  /** Resolves with everything received so far once it contains this text. */
  received(text: string): Promise<string>;
  /** Resolves once the other side is gone. */
  closed: Promise<void>;
}

export interface LoopbackServer {
  port: number;
  url: URL;
  connections: Connection[];
}

/**
 * A server on a loopback socket that does whatever a test wants with the bytes of each connection. It is gone when
 * the test ends.
 */
export async function listen(
  test: TestContext,
  serve: (connection: Connection, index: number) => void | Promise<void>,
): Promise<LoopbackServer> {
  const connections: Connection[] = [];
  const server = net.createServer((socket) => {
    const connection = connectionOf(socket);
    connections.push(connection);
    void serve(connection, connections.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    for (const { socket } of connections) {
      socket.destroy();
    }
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('not listening on a port');
  }
  return { port: address.port, url: new URL(`http://127.0.0.1:${address.port}/path?query=1`), connections };
}

/** A server that answers every request on a connection with the same bytes. */
export async function answering(test: TestContext, answer: string | Buffer): Promise<LoopbackServer> {
  return listen(test, async (connection) => {
    await connection.received('\r\n\r\n');
    connection.socket.end(answer);
  });
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address === null || typeof address === 'string' ? 1 : address.port;
}

function connectionOf(socket: net.Socket): Connection {
  let text = '';
  const waiting = new Set<() => void>();
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (const check of waiting) {
      check();
    }
  });
  socket.on('error', () => undefined);
  return {
    socket,
    closed: new Promise((resolve) => {
      socket.once('close', () => resolve());
    }),
    received: (expected) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!text.includes(expected)) {
            return;
          }
          waiting.delete(check);
          resolve(text);
        };
        waiting.add(check);
        check();
      }),
  };
}
