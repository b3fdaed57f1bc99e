import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from './generated.ts';
import { StreamChannel } from '@mcp/protocol/stdio';
import { classify } from '../../src/jsonrpc/message.ts';

/** The lines that a channel reads from `chunks`. */
async function linesOf(chunks: readonly Buffer[], maxMessageBytes: number): Promise<string[]> {
  const input = new PassThrough();
  const channel = new StreamChannel(input, new PassThrough(), { maxMessageBytes });
  const lines: string[] = [];
  const ended = new Promise<void>((resolve) =>
    channel.open({
      message: (text) => lines.push(text),
      malformed: (error) => lines.push(error.message),
      ended: () => resolve(),
    }),
  );
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await ended;
  return lines;
}

test('lines are the same however the input is split into chunks', async () => {
  const bytes = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
    fc.constantFrom('', '\r', '\ufeff', 'x'.repeat(30), 'é'.repeat(15)).map((text) => Buffer.from(text)),
  );
  const line = bytes.map((some) => Buffer.from(some.filter((byte) => byte !== 0x0a)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.nat({ max: 60 })),
      fc.boolean(),
      async (lines, cuts, newlineAtEnd) => {
        const all = Buffer.concat(lines.flatMap((each) => [each, Buffer.from('\n')]));
        const stream = newlineAtEnd ? all : all.subarray(0, -1);
        const chunks: Buffer[] = [];
        let rest = stream;
        for (const cut of cuts) {
          chunks.push(rest.subarray(0, cut));
          rest = rest.subarray(cut);
        }
        const expected = lines.flatMap((each, index) => {
          if (each.length > 30) return 'A message may have at most 30 bytes';
          const text = each.toString();
          if (!Buffer.from(text).equals(each)) return 'A message must be UTF-8';
          const message = index === 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
          return message === '' || message === '\r' ? [] : message;
        });
        expect(await linesOf([...chunks, rest], 30)).toEqual(expected);
      },
    ),
    { numRuns: 1_000 * times },
  );
});

test('every JSON value is classified as a request, notification, response or invalid, by the rules of JSON-RPC', () => {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constant('2.0'),
    fc.constant('ping'),
    fc.nat(),
    fc.constant(null),
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: member }),
      id: member,
      method: fc.oneof(fc.constant('ping'), member),
      params: member,
      result: fc.oneof(fc.constant({}), member),
      error: fc.oneof(fc.record({ code: fc.integer(), message: fc.string() }), member),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: fc.jsonValue() }),
      (value) => {
        const object = typeof value === 'object' && value !== null && !Array.isArray(value);
        const { jsonrpc, id, method } = (object ? value : {}) as { [name: string]: unknown };
        const goodId = typeof id === 'string' || Number.isSafeInteger(id);
        let expected = 'invalid';
        if (object && jsonrpc === '2.0') {
          if (typeof method === 'string' && id === undefined) expected = 'notification';
          else if (typeof method === 'string' && goodId) expected = 'request';
          else if (method === undefined && ('result' in value || 'error' in value)) expected = 'response';
        }
        expect(classify(value).kind).toBe(expected);
      },
    ),
    { numRuns: 20_000 * times },
  );
});
