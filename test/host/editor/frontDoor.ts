import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Half of the key that the workbench encrypts secrets with. */
const keyHalf = Buffer.alloc(32, 1);

/** A proxy before VS Code's server. */
export interface FrontDoor {
  port: number;
  close: () => void;
}

/**
 * Forwards everything to VS Code's server, except the one request that the server itself does not answer: the workbench
 * asks for half a key, and without one it forgets all secrets on reload.
 */
export async function openFrontDoor(serverPort: number): Promise<FrontDoor> {
  const agent = new Agent({ keepAlive: true });
  const door = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/mint-key') {
      response.end(keyHalf);
    } else {
      passOn(request, response, serverPort, agent);
    }
  });
  door.on('upgrade', (request, socket, head) => passOnSocket(request, socket, head, serverPort));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The front door has no port.');
  }
  return {
    port: address.port,
    close() {
      door.close();
      door.closeAllConnections();
      agent.destroy();
    },
  };
}

function passOn(request: IncomingMessage, response: ServerResponse, port: number, agent: Agent): void {
  const { method, url: path, headers } = request;
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

function passOnSocket(request: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const onward = connect(port, '127.0.0.1');
  const headers = request.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
  onward.write(head);
  socket.pipe(onward).pipe(socket);
  socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
  onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
}
