import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fetchErrorText, fetchJson } from '@mcp/kit';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Fetches from a server on the loopback, while garbage is collected as often as possible. */
async function ask(answer: RequestListener, ms = 5_000) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closed = new Promise((resolve) =>
    server.once('connection', (socket) => socket.once('close', resolve)),
  );
  const timer = setInterval(collectGarbage, 5);
  try {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const signal = AbortSignal.timeout(ms);
    const { response, json } = await fetchJson(
      (request) => fetch(request),
      url,
      {},
      { signal, maxBytes: 100 },
    );
    return { status: response.status, json };
  } catch (error) {
    // An exchange that is given up does not keep its connection.
    await closed;
    return fetchErrorText(error);
  } finally {
    clearInterval(timer);
    server.closeAllConnections();
    server.close();
  }
}

test('the body is returned if it is an object', async () => {
  expect(await ask((_, response) => response.end('{"a":1}'))).toEqual({ status: 200, json: { a: 1 } });
  expect(await ask((_, response) => response.writeHead(404).end('[1]'))).toEqual({
    status: 404,
    json: undefined,
  });
  expect(await ask((_, response) => response.writeHead(204).end())).toEqual({ status: 204, json: undefined });
});

test('a server that sends nothing, or a body without end, is given up in time', async () => {
  expect(await ask(() => {}, 300)).toBe('no answer');
  expect(await ask((_, response) => response.write('{"a":'), 300)).toBe('no answer');
});

test('a body that is too long is not read to its end', async () => {
  const endless: RequestListener = (_, response) => {
    const send = () => void (response.destroyed || (response.write('x'.repeat(1_000)), setImmediate(send)));
    send();
  };
  expect(await ask(endless)).toBe('the body is longer than 100 bytes');
});
