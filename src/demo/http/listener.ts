import { createServer, type IncomingMessage, type Server } from 'node:http';
import { deliver } from './deliver.ts';
import { errorReply, type Reply } from './reply.ts';

export interface Listener {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, url: URL) => Promise<Reply>;

/** Listens on a port of 127.0.0.1; 0 takes a free one. @throws the socket's error, such as EADDRINUSE */
export async function listen(port: number, answer: Answer): Promise<Listener> {
  const server = createServer((request, response) => {
    // A caller may hang up at any time.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? new URL('http://127.0.0.1/');
    void answer(request, url)
      .catch((error: unknown) => errorReply(error, url.pathname))
      .then((reply) => {
        // The rest of an unread body is drained, so that the caller reads the reply.
        request.resume();
        return deliver(reply, request, response);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The demo service listens on no port.');
  }
  return { origin: `http://127.0.0.1:${address.port}`, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
