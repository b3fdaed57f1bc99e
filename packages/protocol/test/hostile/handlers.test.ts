import { describe, expect, test } from 'vitest';
import { RawConnection } from '@mcp/protocol/testing';
import { atEveryRevision } from '../every-revision.ts';
import { misbehavingServer, returned, structured, thrown } from '../fixtures/misbehaving-server.ts';
import { call, failure, initialize, latest, modern, notification, ping, pong, request } from './messages.ts';

/** The text for the model when a tool has thrown; a string for a mistake of the client. */
const words: { readonly [what: string]: string | object } = {
  undefined: 'undefined',
  null: 'null',
  string: 'just words',
  symbol: 'Symbol(odd)',
  number: '42',
  'an object without a prototype': 'A value without a string form was thrown',
  'an object whose toString throws': 'A value without a string form was thrown',
  'an error whose message throws': 'A value without a string form was thrown',
  'an error whose message is an object': '[object Object]',
  'an RpcError with circular data': { code: -32602, message: 'Circular' },
  'an RpcError with a BigInt': { code: -32602, message: 'Big' },
  'an RpcError whose data cannot be read': { code: -32602, message: 'Unreadable' },
};

const circularity = expect.stringMatching(/^Converting circular structure to JSON/) as string;
const bigInt = 'Do not know how to serialize a BigInt';

/** The problem of a structured value that cannot be serialized. */
const unwritable: { readonly [what: string]: string } = {
  'a circular object': circularity,
  'a BigInt': bigInt,
  'an object whose toJSON throws': 'not today',
};

atEveryRevision((version) => {
  const alone = version === latest;

  async function connected(): Promise<RawConnection> {
    const connection = new RawConnection(misbehavingServer());
    if (!alone) await connection.ask(initialize(version));
    return connection;
  }

  const calling = (id: number, name: string, args: object, _meta: object = {}) =>
    alone
      ? modern(id, 'tools/call', { name, arguments: args, _meta: _meta as { [key: string]: unknown } })
      : request(id, 'tools/call', { name, arguments: args, _meta });

  describe.each(['throw', 'throw_later'])('a handler that does %s', (tool) => {
    test.each(Object.keys(thrown))('%s', async (what) => {
      const connection = await connected();
      const expected = words[what];
      expect(await connection.ask(calling(1, tool, { what }))).toMatchObject(
        typeof expected === 'string'
          ? { id: 1, result: { content: [{ type: 'text', text: expected }], isError: true } }
          : { id: 1, error: expected },
      );
      expect(await connection.ask(ping(2))).toMatchObject(alone ? { id: 2 } : pong(2));
      expect(await connection.end()).toEqual([]);
    });
  });

  describe.each(['return', 'return_later'])('a handler that does %s', (tool) => {
    test.each(Object.keys(returned))('%s', async (what) => {
      const connection = await connected();
      const answer = await connection.ask(calling(1, tool, { what }));
      expect(answer['id']).toBe(1);
      expect('result' in answer !== 'error' in answer).toBe(true);
      expect(await connection.ask(calling(2, 'echo', { text: 'a' }))).toMatchObject({ id: 2, result: {} });
      expect(await connection.end()).toEqual([]);
    });
  });

  test.each(Object.keys(structured))(
    'a call is answered when a handler with an output schema returns %s',
    async (what) => {
      const connection = await connected();
      const answer = await connection.ask(calling(1, 'structured', { what }));
      if (unwritable[what] !== undefined) {
        expect(answer).toMatchObject({
          id: 1,
          result: { isError: true, content: [{ text: unwritable[what] }] },
        });
      } else {
        expect(answer).toMatchObject({ id: 1 });
      }
      expect(await connection.end()).toEqual([]);
    },
  );

  test.each(['remember_call', 'remember_call_and_fail'])(
    'a finished call sends no more messages (%s)',
    async (tool) => {
      const connection = await connected();
      const meta = { progressToken: 'p', ...(alone && { 'io.modelcontextprotocol/logLevel': 'debug' }) };
      connection.send(calling(1, tool, {}, meta));
      const received = tool === 'remember_call' ? [(await connection.next())['method']] : [];
      expect(received).toEqual(tool === 'remember_call' ? ['notifications/progress'] : []);
      expect((await connection.next())['id']).toBe(1);
      expect((await connection.ask(calling(2, 'use_remembered_call', {})))['id']).toBe(2);
      expect(await connection.end()).toEqual([]);
    },
  );

  test('the functions of a call work when destructured', async () => {
    const connection = await connected();
    const meta = { progressToken: 'p', ...(alone && { 'io.modelcontextprotocol/logLevel': 'debug' }) };
    connection.send(calling(1, 'destructured', {}, meta));
    expect(await connection.next()).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, total: 2 },
    });
    expect(await connection.next()).toMatchObject({
      method: 'notifications/message',
      params: { level: 'error', data: 'seen' },
    });
    expect(await connection.next()).toMatchObject({ id: 1, result: { content: [{ text: 'false' }] } });
  });
});

describe.each(['2025-06-18', '2025-11-25'])('a handler that asks the client at %s', (version) => {
  async function asked(): Promise<{ connection: RawConnection; id: unknown }> {
    const connection = new RawConnection(misbehavingServer());
    await connection.ask(initialize(version, 'init', { elicitation: {} }));
    connection.send(notification('notifications/initialized'));
    const question = await connection.ask(call('q', 'ask'));
    expect(question).toMatchObject({ method: 'elicitation/create' });
    return { connection, id: question['id'] };
  }

  test.each<[string, object, string]>([
    ['nothing', { result: null }, 'The client refused elicitation/create: "result" must be an object'],
    ['a number', { result: 5 }, 'The client refused elicitation/create: "result" must be an object'],
    ['another result', { result: {} }, 'The client sent an invalid result of elicitation/create'],
    [
      'an action that is none',
      { result: { action: 'maybe' } },
      'The client sent an invalid result of elicitation/create',
    ],
    [
      'content that is none',
      { result: { action: 'accept', content: 'yes' } },
      'The client sent an invalid result of elicitation/create',
    ],
    ['an error', { error: { code: 1, message: 'No' } }, 'The client refused elicitation/create: No'],
    [
      'an error that is none',
      { error: 'No' },
      'The client refused elicitation/create: "error" must have an integer "code" and a "message"',
    ],
    [
      'both a result and an error',
      { result: {}, error: { code: 1, message: 'No' } },
      'The client refused elicitation/create: A response has either "result" or "error", not both',
    ],
  ])('gets an error when the answer is %s', async (_, answer, message) => {
    const { connection, id } = await asked();
    expect(await connection.ask({ jsonrpc: '2.0', id, ...answer })).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      result: { content: [{ type: 'text', text: message }], isError: true },
    });
    // A second answer belongs to no request, and gets no response.
    connection.send({ jsonrpc: '2.0', id, result: { action: 'accept' } });
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test('sends no question after its call is cancelled', async () => {
    const { connection, id } = await asked();
    connection.send(notification('notifications/cancelled', { requestId: 'q' }));
    expect(await connection.next()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    connection.send({ jsonrpc: '2.0', id, result: { action: 'accept' } });
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.end()).toEqual([]);
  });

  test('does not accept an answer whose id has another type', async () => {
    const { connection, id } = await asked();
    connection.send({ jsonrpc: '2.0', id: String(id), result: { action: 'decline' } });
    connection.send({ jsonrpc: '2.0', result: { action: 'decline' } });
    expect(await connection.ask(ping('next'))).toEqual(pong('next'));
    expect(await connection.ask({ jsonrpc: '2.0', id, result: { action: 'cancel' } })).toMatchObject({
      id: 'q',
    });
  });
});

describe('state that travels through the client', () => {
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const asking = (id: number, params: object) =>
    modern(id, 'tools/call', { name: 'ask', arguments: { a: 1 }, ...params, _meta: capabilities });
  const answers = { inputResponses: { answer: { action: 'accept', content: {} } } };
  const refused = (id: number, reason: string) =>
    failure(id, -32602, `"requestState" is refused: ${reason}; send the request again without it`);
  const foreign = 'it was not made by this server for this request';

  async function asked(): Promise<{ connection: RawConnection; requestState: string }> {
    const connection = new RawConnection(misbehavingServer());
    const { result } = await connection.ask(asking(1, {}));
    const { requestState } = result as { requestState: string };
    return { connection, requestState };
  }

  test('is accepted for its own request, any number of times', async () => {
    const { connection, requestState } = await asked();
    for (const id of [2, 3]) {
      expect(await connection.ask(asking(id, { ...answers, requestState }))).toMatchObject({
        result: { content: [{ text: '[{"answer":{"action":"accept","content":{}}},{"rounds":1}]' }] },
      });
    }
  });

  test('is refused when any of its bytes is changed', async () => {
    const { connection, requestState } = await asked();
    const bytes = Buffer.from(requestState, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      const message = asking(index, { ...answers, requestState: changed.toString('base64url') });
      expect(await connection.ask(message)).toEqual(refused(index, foreign));
    }
  });

  test.each(['', 'a', 'AAAA', 'not base64!', '\ud800', 'A'.repeat(1_000_000)])(
    'is refused when it is not a sealed state',
    async (requestState) => {
      const { connection } = await asked();
      expect(await connection.ask(asking(2, { ...answers, requestState }))).toEqual(refused(2, foreign));
    },
  );

  test.each([null, 1, {}, []])('is refused when it is %j', async (requestState) => {
    const { connection } = await asked();
    expect(await connection.ask(asking(2, { ...answers, requestState }))).toEqual(
      failure(2, -32602, '"requestState" must be a string'),
    );
  });

  test.each<[string, object]>([
    ['other arguments', { arguments: { a: 2 } }],
    ['more arguments', { arguments: { a: 1, b: 2 } }],
    ['no arguments', { arguments: undefined }],
    ['another tool', { name: 'echo' }],
  ])('is refused with %s', async (_, params) => {
    const { connection, requestState } = await asked();
    expect(await connection.ask(asking(2, { ...params, ...answers, requestState }))).toEqual(
      refused(2, foreign),
    );
  });

  test('is refused by another server', async () => {
    const { requestState } = await asked();
    const { connection } = await asked();
    expect(await connection.ask(asking(2, { ...answers, requestState }))).toEqual(refused(2, foreign));
  });

  test.each([
    [[], '"inputResponses" must be an object'],
    [null, '"inputResponses" must be an object'],
    [
      { answer: 1 },
      'Invalid "inputResponses.answer"; expected the result of an elicitation, sampling or roots request',
    ],
    [
      { answer: { roots: [{}] } },
      'Invalid "inputResponses.answer"; expected the result of an elicitation, sampling or roots request',
    ],
  ])('answers of %j are refused', async (inputResponses, message) => {
    const { connection, requestState } = await asked();
    expect(await connection.ask(asking(2, { inputResponses, requestState }))).toEqual(
      failure(2, -32602, message),
    );
  });

  test('a key that every object inherits is an ordinary key of an answer', async () => {
    const { connection, requestState } = await asked();
    const message = JSON.stringify(asking(2, { ...answers, requestState })).replace(
      '"answer":',
      '"__proto__":',
    );
    // The handler's own question is not answered by it.
    expect(await connection.ask(message)).toMatchObject({ result: { resultType: 'input_required' } });
  });
});
