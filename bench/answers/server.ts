/**
 * Answers whatever is asked below `/<index>/` with the worst answer of that index, in a process of its own. Sends its
 * address to the parent process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { worstAnswers } from '../../test/support/service/worstAnswers.ts';
import { apiKey } from './worst.ts';

const answers = Object.values(worstAnswers(apiKey)).map(({ status, body }) => ({
  status,
  body: Buffer.from(body),
}));

const server = createServer((request, response) => {
  const { status, body } = answers[Number(request.url?.split('/')[1])] ?? {
    status: 404,
    body: Buffer.alloc(0),
  };
  request.resume().on('end', () => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
