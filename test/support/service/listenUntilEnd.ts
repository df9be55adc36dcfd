import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Server } from 'node:net';
import type { TestContext } from 'node:test';

/** Has a server listen on loopback until a test ends. @returns its port */
export async function listenUntilEnd(test: TestContext, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  test.after(() => {
    if (server instanceof http.Server || server instanceof https.Server) {
      server.closeAllConnections();
    }
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
