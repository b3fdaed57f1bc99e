import type { Channel } from '../../src/jsonrpc/channel.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';

/** A server that answers every request with the result of `answer`; undefined sends no answer. */
export function scriptedServer(
  channel: Channel,
  answer: (request: JsonObject) => JsonObject | undefined,
): void {
  channel.open({
    message: (text) => {
      const request = JSON.parse(text) as JsonObject;
      if (request['id'] === undefined) return;
      const response = answer(request);
      if (response) channel.send(JSON.stringify({ jsonrpc: '2.0', id: request['id'], ...response }));
    },
    malformed: () => {},
    ended: () => void channel.close(),
  });
}
