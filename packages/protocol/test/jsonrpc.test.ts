import { describe, expect, test } from 'vitest';
import { isDeeper, maxDepth } from '../src/jsonrpc/depth.ts';
import { ConnectionClosed, errorCodes, isUnexpected, NotDelivered, RpcError } from '../src/jsonrpc/error.ts';
import { elementTexts, memberSource, sourceIn, textOf } from '../src/jsonrpc/json-source.ts';
import {
  classify,
  classifyIncoming,
  errorText,
  isId,
  notificationText,
  parse,
  requestAround,
  requestText,
  resultText,
} from '../src/jsonrpc/message.ts';
import { quote } from '../src/jsonrpc/quote.ts';
import { RequestMap } from '../src/jsonrpc/request-map.ts';

const invalid = (reason: string, id?: string | number) => ({
  kind: 'invalid',
  reason,
  ...(id !== undefined && { id }),
});
const notObject = invalid('A message must be a JSON object');

// The examples of JSON-RPC 2.0, section 7. The results are the kinds of messages that a receiver tells apart.
test.each<[text: string, kinds: string]>([
  ['{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}', 'request'],
  ['{"jsonrpc": "2.0", "result": {"difference": 19}, "id": 1}', 'response'],
  ['{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42}, "id": 3}', 'request'],
  ['{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', 'notification'],
  ['{"jsonrpc": "2.0", "method": "foobar"}', 'notification'],
  ['{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}', 'response'],
  ['{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}', 'response'],
  ['{"jsonrpc": "2.0", "method": 1, "params": "bar"}', 'invalid'],
  ['[]', ''],
  ['[1]', 'invalid'],
  ['[1,2,3]', 'invalid invalid invalid'],
  [
    `[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}, {"foo": "boo"}]`,
    'request notification invalid',
  ],
])('%s is %s', (text, kinds) => {
  const incoming = classifyIncoming(parse(text), text);
  const messages = incoming.kind === 'batch' ? incoming.messages : [incoming];
  expect(messages.map(({ kind }) => kind).join(' ')).toBe(kinds);
  expect(incoming.kind === 'batch').toBe(text.startsWith('['));
  if (incoming.kind === 'batch' || incoming.kind === 'request') expect(incoming.text).toBe(text);
});

test.each([
  '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
  '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
])('%s is not JSON', (text) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: -32700, message: expect.stringMatching(/^Not JSON: .*JSON/) }),
  );
});

describe('what JSON-RPC does not allow', () => {
  const message = (members: object) => ({ jsonrpc: '2.0', ...members });
  test.each([
    [null, notObject],
    ['x', notObject],
    [{ id: 1, method: 'm' }, invalid('"jsonrpc" must be "2.0"', 1)],
    [{ jsonrpc: '1.0', id: 'a', method: 'm' }, invalid('"jsonrpc" must be "2.0"', 'a')],
    [message({ method: 1, id: 1 }), invalid('"method" must be a string', 1)],
    [message({ method: 'm', id: null }), invalid('"id" must be a string or an integer')],
    [message({ method: 'm', id: 1.5 }), invalid('"id" must be a string or an integer')],
    [message({ method: 'm', id: 2 ** 53 }), invalid('"id" must be a string or an integer')],
    [message({ id: 2 }), invalid('A request must name its "method"', 2)],
    [message({ id: {} }), invalid('A request must name its "method"')],
  ])('%j is refused', (value, expected) => expect(classify(value)).toStrictEqual(expected));

  const error = { code: 1, message: 'm' };
  const noError = '"error" must have an integer "code" and a "message"';
  test.each([
    [{ id: {}, result: {} }, '"id" must be a string or an integer', undefined],
    [{ id: 1.5, error }, '"id" must be a string or an integer', undefined],
    [{ id: 1, result: {}, error }, 'A response has either "result" or "error", not both', 1],
    [{ id: 'a', error: 'x' }, noError, 'a'],
    [{ id: 1, error: { code: 1.5, message: 'm' } }, noError, 1],
    [{ id: 1, error: { code: 1 } }, noError, 1],
    [{ id: 1, result: 1 }, '"result" must be an object', 1],
    [{ id: 1, result: null }, '"result" must be an object', 1],
  ])('the response %j becomes an error', (members, reason, id) => {
    expect(classify(message(members))).toStrictEqual({
      kind: 'response',
      response: message({ ...(id !== undefined && { id }), error: { code: -32600, message: reason } }),
      malformed: true,
    });
  });

  test.each([{ error }, { id: null, error }, { id: 1, error }, { id: '', result: {} }])(
    'the response %j is right',
    (members) => expect(classify(message(members))).toEqual({ kind: 'response', response: message(members) }),
  );
});

test('messages are written as JSON-RPC wants them', () => {
  const circular: { self?: object } = {};
  circular.self = circular;
  const error = { code: -32601, message: 'no', data: [1] };
  expect([
    resultText('a"', '{"n":1.0}'),
    resultText(-1, '{}'),
    requestText(1, 'm', { a: 1 }),
    requestText('x', 'm'),
    requestAround(1, 'm"', '{"n":1.0}'),
    requestAround('1', 'm', '{}'),
    notificationText('m', { a: 1 }),
    notificationText('m'),
    errorText(1, error),
    errorText(undefined, { ...error, data: circular }),
  ]).toEqual([
    '{"jsonrpc":"2.0","id":"a\\"","result":{"n":1.0}}',
    '{"jsonrpc":"2.0","id":-1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}',
    '{"jsonrpc":"2.0","id":"x","method":"m"}',
    '{"jsonrpc":"2.0","id":1,"method":"m\\"","params":{"n":1.0}}',
    '{"jsonrpc":"2.0","id":"1","method":"m","params":{}}',
    '{"jsonrpc":"2.0","method":"m","params":{"a":1}}',
    '{"jsonrpc":"2.0","method":"m"}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":[1]}}',
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}',
  ]);
});

test.each<[text: string, limit: number, deeper: boolean]>([
  ['[[1]]', 2, false],
  ['[{"a":1}]', 1, true],
  ['[[[1]]]', 2, true],
  ['{"a":{"b":{}}}', 2, true],
  ['{"a":{"b":1}}', 2, false],
  ['[[],[],[],[]]', 2, false],
  ['{"a":{},"b":{}}', 2, false],
  ['[{},{},{}]', 2, false],
  ['[[],[],[[]]]', 2, true],
  ['["[[[","{{{"]', 1, false],
  ['["\\"[[[",1]', 1, false],
  ['["\\\\",[1]]', 1, true],
  ['[]', 0, true],
  ['[[', 1, true],
  ['["[[[', 1, false],
])('%s has more than %i levels: %s', (text, limit, deeper) => expect(isDeeper(text, limit)).toBe(deeper));

test('a message may have 1,000 levels', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(parse(nested(maxDepth))).toHaveLength(1);
  expect(() => parse(nested(1_001))).toThrow(
    expect.objectContaining({
      code: -32600,
      message: 'A message may have at most 1000 levels of nested arrays and objects',
    }),
  );
  expect(() => parse('[[]]', 1)).toThrow('at most 1 levels');
});

test.each<[json: string, texts: string[]]>([
  ['[]', []],
  [' [ ] ', []],
  ['[1]', ['1']],
  ['\n[ {"a":[1,2]} ,\t"]," , [1,"}"],true\r]', ['{"a":[1,2]}', '"],"', '[1,"}"]', 'true']],
  ['["a\\"]","b\\\\"]', ['"a\\"]"', '"b\\\\"']],
  ['[1.50\t,-2\n,3\r,4 ,null]', ['1.50', '-2', '3', '4', 'null']],
  ['[[[]],{}]', ['[[]]', '{}']],
])('the elements of %j keep their text', (json, texts) => expect(elementTexts(json)).toEqual(texts));

test.each<[text: string, name: string, found: string | undefined]>([
  ['{"a":{"n":1.0}}', 'a', '{"n":1.0}'],
  ['{"a":1}', 'a', undefined],
  ['{"a":[1]}', 'a', undefined],
  ['{}', 'a', undefined],
  [' { "b" : {} , "a" : {"n":1.0} } ', 'a', '{"n":1.0}'],
  ['{"a":{"n":1.0},"a":{"n":2.0}}', 'a', '{"n":2.0}'],
  ['{"a":1,"b":{"n":1.0}}', 'b', '{"n":1.0}'],
  ['{"\\u0061":{"n":1.0}}', 'a', '{"n":1.0}'],
  ['{"x:y":{"n":1.0},"z":":"}', 'x:y', '{"n":1.0}'],
  ['{"b":"}","a":{"n":1.0}}', 'a', '{"n":1.0}'],
])('in %s, the member %s has the text %s', (text, name, found) => {
  const value = JSON.parse(text) as { [key: string]: unknown };
  expect(memberSource({ value, text }, name)).toEqual(
    found === undefined ? undefined : { value: value[name], text: found },
  );
});

test('a member that is not in the text has no source', () => {
  expect(memberSource({ value: { a: {} }, text: '{"b":{}}' }, 'a')).toBe(undefined);
});

test('a source is kept for long texts and long numbers', () => {
  const source = (text: string) => sourceIn(text, 'a', (JSON.parse(text) as { a: { n: unknown } }).a)?.text;
  const padded = (length: number) => `{"a":{}}`.padEnd(length);
  expect([
    source(padded(4095)),
    source(padded(4096)),
    source('{"a":{"n":123456789012345}}'),
    source('{"a":{"n":1234567890123456}}'),
    source('{"a":{"n":1.2345678901234}}'),
    source('{"a":{"n":1.23456789012345}}'),
    source('{"a":{"n":1e99}}'),
    source('{"a":{"n":1e-100}}'),
    source('{"a":{"n":1E+100}}'),
    source('{"a":{"n":1e100}}'),
    source('{"a":{"n":"e100"}}'),
  ]).toEqual([
    undefined,
    '{}',
    undefined,
    '{"n":1234567890123456}',
    undefined,
    '{"n":1.23456789012345}',
    undefined,
    '{"n":1e-100}',
    '{"n":1E+100}',
    '{"n":1e100}',
    undefined,
  ]);
});

test.each<[text: string, change: object, sent: string]>([
  ['{"a":1.0}', {}, '{"a":1.0}'],
  ['{"a":1.0,"b":2.0}', { a: undefined }, '{"b":2.0}'],
  ['{"a":1.0,"b":2.0}', { b: 3 }, '{"a":1.0,"b":3}'],
  ['{"a":1.0}', { a: 2, c: { d: 1 } }, '{"a":2,"c":{"d":1}}'],
  ['{"a":1.0}', { a: undefined }, '{}'],
  ['{"a":1.0,"a":2.0}', { b: 1 }, '{"a":2,"b":1}'],
  ['{\n"a":1.0,\r\n"b":[\n\n1]}', { c: 1 }, '{"a":1.0,"b":[ 1],"c":1}'],
  ['{"a":[\r1]}', { c: 1 }, '{"a":[ 1],"c":1}'],
])('%j with the change %j is sent as %s', (text, change, sent) => {
  const value = JSON.parse(text) as { [key: string]: unknown };
  expect(textOf({ ...value, ...change }, { value, text })).toBe(sent);
  expect(textOf({ a: 1 }, undefined)).toBe('{"a":1}');
});

test('an object that is unchanged keeps its text, on one line', () => {
  const value = {};
  expect(textOf(value, { value, text: '{"a":\r\n 1.0}' })).toBe('{"a":  1.0}');
  expect(textOf(value, { value, text: '{"a" : 1.0}' })).toBe('{"a" : 1.0}');
});

test.each([
  [[1], 'an array'],
  [{}, 'an object'],
  [null, 'null'],
  [1, '1'],
  [undefined, 'nothing'],
  ['a"', '"a\\""'],
])('%j is shown as %s', (value, shown) => expect(quote(value)).toBe(shown));

test('a string is shown with 200 characters at most', () => {
  expect(quote('x'.repeat(200))).toBe(`"${'x'.repeat(200)}"`);
  expect(quote('x'.repeat(201))).not.toContain('x'.repeat(201));
});

test('an id is a string or a safe integer', () => {
  expect(['', 'a', 0, -1, 2 ** 53 - 1].every(isId)).toBe(true);
  expect([null, undefined, 1.5, 2 ** 53, {}, true].some(isId)).toBe(false);
});

// JSON-RPC 2.0, section 5.1.
test('the codes of errors are those of the specification', () => {
  expect(errorCodes).toEqual({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
  });
});

test('an error has its cause, and a TypeError without a code is unexpected', () => {
  expect(new RpcError(1, 'm', null, { cause: 'c' })).toMatchObject({ code: 1, data: null, cause: 'c' });
  const names = [new RpcError(1, ''), new ConnectionClosed(), new NotDelivered()].map(({ name }) => name);
  expect(names).toEqual(['RpcError', 'ConnectionClosed', 'NotDelivered']);
  expect(isUnexpected(new TypeError('x'))).toBe(true);
  expect(isUnexpected(new ReferenceError('x'))).toBe(true);
  expect(isUnexpected(Object.assign(new TypeError('x'), { code: 'ERR' }))).toBe(false);
  expect(isUnexpected(new Error('x'))).toBe(false);
});

test('a map of requests counts what waits, in 1,024 slots and beside them', () => {
  const requests = new RequestMap<{ id: number | string }>();
  expect([requests.size, requests.has(0), requests.has('0'), requests.get(-1)]).toEqual([
    0,
    false,
    false,
    undefined,
  ]);
  expect(requests.entries()).toEqual([]);
  requests.delete(0);
  const ids = [...Array.from({ length: 1_026 }, (_, id) => id), '0', '1'];
  for (const id of ids) requests.set(id, { id });
  expect(requests.size).toBe(1_028);
  expect(ids.every((id) => requests.get(id)?.id === id && requests.has(id))).toBe(true);
  requests.set(0, { id: 'again' });
  requests.set(0, { id: 'again' });
  requests.set('1', { id: 'again' });
  expect([requests.size, requests.get(0)?.id, requests.get('1')?.id]).toEqual([1_028, 'again', 'again']);
  expect(new Set(requests.entries().map(([id]) => id))).toEqual(new Set(ids));
  expect(requests.entries().find(([id]) => id === 5)).toEqual([5, { id: 5 }]);
  for (const id of ids) requests.delete(id);
  expect([requests.size, requests.entries()]).toEqual([0, []]);
});
