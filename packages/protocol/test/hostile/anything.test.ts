import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isId } from '../../src/jsonrpc/message.ts';
import { atEveryRevision } from '../every-revision.ts';
import { times } from './generated.ts';
import { call, cancel, initialize, latest, modern, notification, ping, request } from './messages.ts';
import { ServerProcess } from './server-process.ts';

const messagesInARun = 1_000;
const runs = 21 * times;

type Json = { [key: string]: unknown };

const id = fc.oneof(fc.nat({ max: 50 }), fc.constantFrom<string | number>('a', '1', '__proto__', -1));
const args = fc.oneof(fc.constant({ text: 'a' }), fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }));
const tools = [
  'echo',
  'echo_later',
  'keys',
  'reflect',
  'throw',
  'return_later',
  'structured',
  'no_such_tool',
];

/** Messages as they should be. Streams have ids of their own, so that others' answers can be counted. */
const proper = fc.oneof<fc.Arbitrary<Json>[]>(
  fc.tuple(id, fc.constantFrom(...tools), args).map(([own, name, each]) => call(own, name, each)),
  fc
    .tuple(id, fc.constantFrom(...tools), args)
    .map(([own, name, each]) => modern(own, 'tools/call', { name, arguments: each })),
  fc
    .tuple(
      id,
      fc.constantFrom('ping', 'tools/list', 'resources/list', 'prompts/list', 'server/discover', 'tasks/get'),
    )
    .map(([own, method]) => request(own, method)),
  fc
    .tuple(id, fc.constantFrom('resources/read', 'resources/subscribe', 'resources/unsubscribe'), fc.webUrl())
    .map(([own, method, uri]) => request(own, method, { uri })),
  fc.tuple(id, fc.string()).map(([own, name]) => request(own, 'resources/read', { uri: `thing:///${name}` })),
  id.map((own) => request(own, 'prompts/get', { name: 'say', arguments: { word: 'a' } })),
  id.map((own) => request(own, 'logging/setLevel', { level: 'debug' })),
  fc.tuple(id, fc.constantFrom('word', 'name', '__proto__')).map(([own, name]) =>
    modern(own, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'say' },
      argument: { name, value: '' },
    }),
  ),
  id.map((own) =>
    modern(`stream ${own}`, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  ),
  id.map(cancel),
  id.map((own) => cancel(`stream ${own}`)),
  fc
    .constantFrom('initialized', 'progress', 'unheard_of')
    .map((name) => notification(`notifications/${name}`)),
  id.map((own) => ({ jsonrpc: '2.0', id: own, result: {} })),
);

/** The same with one member, anywhere inside, missing or replaced by anything. */
const spoilt = fc
  .tuple(
    proper,
    fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    fc.oneof(fc.jsonValue(), fc.constant(undefined)),
  )
  .map(([message, path, value]) => {
    let inside: Json = message;
    const copy = inside;
    for (const [depth, step] of path.entries()) {
      const keys = Object.keys(inside);
      const key = keys[step % (keys.length || 1)] ?? 'new';
      const next = inside[key];
      if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
        inside[key] = value;
        break;
      }
      inside[key] = { ...next };
      inside = inside[key] as Json;
    }
    return copy;
  });

const line = fc.oneof(
  { weight: 4, arbitrary: proper.map((message) => JSON.stringify(message)) },
  { weight: 6, arbitrary: spoilt.map((message) => JSON.stringify(message)) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(proper, spoilt, fc.jsonValue()), { maxLength: 5 })
      .map((batch) => JSON.stringify(batch)),
  },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '').toWellFormed()),
  },
  {
    weight: 1,
    arbitrary: proper.chain((message) =>
      fc.nat({ max: 80 }).map((cut) => JSON.stringify(message).slice(0, cut)),
    ),
  },
);

/** The ids under which one message is answered; undefined for an answer without one. */
function answersTo(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [undefined];
  const { jsonrpc, id: own, method, result, error } = value as Json;
  const readable = isId(own) ? own : undefined;
  if (jsonrpc !== '2.0') return [readable];
  if (typeof method === 'string') return own === undefined ? [] : [readable];
  return method === undefined && (result !== undefined || error !== undefined) ? [] : [readable];
}

function answersToLine(text: string, batches: boolean): unknown[] {
  if (text === '' || text === '\r') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [undefined];
  }
  return batches && Array.isArray(value) && value.length > 0 ? value.flatMap(answersTo) : answersTo(value);
}

/** The ids in a line that need no answer: those that it cancels, and those of streams, which stay open. */
function uncertainIn(text: string): unknown[] {
  if (!/notifications.cancelled|subscriptions.listen/.test(text)) return [];
  try {
    const messages = [JSON.parse(text) as Json | (Json | null)[]].flat();
    return messages.flatMap((message) => [
      (message?.['params'] as Json | null | undefined)?.['requestId'],
      ...(message?.['method'] === 'subscriptions/listen' ? [message['id']] : []),
    ]);
  } catch {
    return [];
  }
}

function count(ids: readonly unknown[]): Map<unknown, number> {
  const counted = new Map<unknown, number>();
  for (const each of ids) counted.set(each, (counted.get(each) ?? 0) + 1);
  return counted;
}

atEveryRevision((version) => {
  test('every request in generated input is answered exactly once', async () => {
    await using server = new ServerProcess('serve-misbehaving', { graceMs: 50 });
    if (version !== latest) await server.ask(initialize(version));
    const batches = version === '2025-03-26';
    const streams = new Set<unknown>();
    let run = 0;

    const ask = async (lines: readonly string[]) => {
      const sentinel = `sentinel ${run++}`;
      const due = lines.flatMap((each) => answersToLine(each, batches));
      const uncertain = new Set(lines.flatMap(uncertainIn));
      server.write(`${[...lines, JSON.stringify(ping(sentinel))].join('\n')}\n`);
      const expected = count([...due, sentinel]);
      const left = new Map([...expected].filter(([own]) => !uncertain.has(own)));
      const answered: unknown[] = [];
      const take = (message: Json | Json[]) => {
        for (const each of Array.isArray(message) ? message : [message]) {
          if ('method' in each) continue;
          answered.push(each['id']);
          const rest = (left.get(each['id']) ?? 0) - 1;
          if (rest > 0) left.set(each['id'], rest);
          else left.delete(each['id']);
        }
      };
      while (left.size > 0) take(await server.next());
      // A message after the last answer is one answer too many.
      const last = `last ${run}`;
      server.send(modern(last, 'tools/call', { name: 'echo_later', arguments: { text: '' } }));
      for (let message = await server.next(); message['id'] !== last; message = await server.next())
        take(message);
      for (const [own, found] of count(answered)) {
        // A stream of an earlier run may end in this one.
        const most = (expected.get(own) ?? 0) + (streams.has(own) ? found : 0);
        if (uncertain.has(own) || streams.has(own)) expect(found).toBeLessThanOrEqual(most);
        else expect([own, found]).toEqual([own, most]);
      }
      for (const own of uncertain) streams.add(own);
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: messagesInARun, maxLength: messagesInARun, size: 'max' }),
        ask,
      ),
      { numRuns: runs, endOnFailure: true },
    );
    const { code, signal } = await server.end();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});
