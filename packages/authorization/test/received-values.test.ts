import { describe, expect, test } from 'vitest';
import { parseChallenge } from '../src/discovery/challenge.ts';
import { missingScopes, selectScopes } from '../src/discovery/scopes.ts';
import { secondsIn, stringIn, stringsIn } from '../src/requests/json-fields.ts';
import { shownText, successOf } from '../src/requests/oauth-reply.ts';
import { isLoopback, permittedUrl } from '../src/requests/url-rules.ts';

const none = { resourceMetadata: undefined, scopes: undefined, error: undefined, requiresDpop: false };

// The examples of RFC 6750 (section 3), RFC 7235 (4.1), RFC 9110 (11.6.1), RFC 9449 (7.1 and 9) and RFC 9728
// (5.1), and what servers send besides.
test.each<[header: string | null, expected: object]>([
  [null, {}],
  ['', {}],
  ['Bearer realm="example"', {}],
  ['Bearer realm="example",\n error="invalid_token",\n error_description="x"', { error: 'invalid_token' }],
  ['Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"', {}],
  ['Basic error="a", Bearer error="b"', { error: 'b' }],
  ['Negotiate abc==, Bearer error="b"', { error: 'b' }],
  ['Bearer abc==, error="b"', {}],
  ['DPoP algs="ES256 PS256"', { requiresDpop: true }],
  [
    'DPoP error="use_dpop_nonce", error_description="Authorization server requires nonce in DPoP proof"',
    { requiresDpop: true, error: 'use_dpop_nonce' },
  ],
  ['Bearer, DPoP algs="ES256"', {}],
  ['DPoP error="a", Bearer error="b"', { error: 'a' }],
  ['DPoP, Basic realm="x"', { requiresDpop: true }],
  [
    'Bearer resource_metadata="https://resource.example.com/.well-known/oauth-protected-resource"',
    { resourceMetadata: 'https://resource.example.com/.well-known/oauth-protected-resource' },
  ],
  [
    'Bearer resource_metadata=https://a.example/x?y=z, error=b',
    { resourceMetadata: 'https://a.example/x?y=z', error: 'b' },
  ],
  ['bearer SCOPE="a  b\tc "', { scopes: ['a', 'b', 'c'] }],
  ['Bearer scope=""', {}],
  ['Bearer scope=" "', {}],
  ['Bearer scope=read', { scopes: ['read'] }],
  ['Bearer error = "a\\"b\\\\c"', { error: 'a"b\\c' }],
  ['Bearer error\t=\t"a"', { error: 'a' }],
  ['Bearer error="a", error="b"', { error: 'a' }],
  ['Bearer error="", DPoP error="b"', { error: 'b' }],
  [', ,Bearer error="a"', { error: 'a' }],
  ['error="a", Bearer', {}],
  ['Bearer realm="open, error="a"', {}],
  ['Bearer error=="a"', {}],
  ['Bearer "x", error="a"', {}],
])('%j is understood', (header, expected) => {
  expect(parseChallenge(header)).toEqual({ ...none, ...expected });
  expect(parseChallenge(header)).toEqual({ ...none, ...expected });
});

describe('scopes', () => {
  const select = (
    challenge: readonly string[] | undefined,
    supported: readonly string[] | undefined,
    before?: readonly string[],
    { isLogin, offered }: { isLogin: boolean; offered: readonly string[] | undefined } = {
      isLogin: false,
      offered: ['offline_access'],
    },
  ) =>
    selectScopes(
      { scopes: challenge, requiresDpop: false },
      { scopesSupported: supported, metadata: { issuer: 'x', scopes_supported: offered } } as never,
      isLogin,
      before,
    );
  const login = { isLogin: true, offered: ['offline_access'] };

  test.each([
    [select(undefined, undefined), undefined],
    [select(['a'], ['b']), ['a']],
    [select(undefined, ['a', 'b']), ['a', 'b']],
    [select(undefined, ['a', 'b'], []), ['a', 'b']],
    [select(undefined, ['a', 'b'], ['c']), ['c']],
    [select(['a', 'c'], ['b'], ['c', 'd']), ['c', 'd', 'a']],
    [select(['offline_access'], ['b']), undefined],
    [select(['offline_access', 'a'], []), ['a']],
    [select(['offline_access', 'a'], [], [], login), ['a', 'offline_access']],
    [select(['a'], [], [], login), ['a', 'offline_access']],
    [select([], [], [], login), undefined],
    [select(['a'], [], [], { ...login, offered: ['x'] }), ['a']],
    [select(['a'], [], [], { ...login, offered: undefined }), ['a']],
  ])('%j are selected as %j', (selected, expected) => expect(selected).toEqual(expected));

  test('a token misses the scopes that it was not granted', () => {
    const challenge = { scopes: ['a', 'b'], requiresDpop: false };
    expect([
      missingScopes(challenge, ['b', 'c']),
      missingScopes(challenge),
      missingScopes({ requiresDpop: false }, ['a']),
    ]).toEqual([['a'], ['a', 'b'], []]);
  });
});

describe('URLs from the network', () => {
  const rules = (server: string, ...trustedOrigins: string[]) => ({
    server: new URL(server),
    trustedOrigins,
  });
  const open = rules('https://mcp.example.com/');
  const own = rules('http://127.0.0.1:1/');
  const lan = rules('https://10.0.0.1/');
  const trusting = rules('https://mcp.example.com/', 'http://127.0.0.1:2', 'ftp://a.example');
  const narrow = (from: string, to: string) =>
    `a ${from} server cannot name a ${to} address; to allow that, add the origin of the address to trustedOrigins`;

  test.each([
    [open, 'https://auth.example.com/a?b#c', undefined],
    [open, 'http://auth.example.com/', '"http://auth.example.com/"; expected an HTTPS URL'],
    [open, 'http://127.0.0.1/', '"http://127.0.0.1/"; expected an HTTPS URL'],
    [open, 'https://127.0.0.1/x?y#z', `"https://127.0.0.1/x"; ${narrow('public', 'loopback')}`],
    [open, 'https://10.0.0.2/', `"https://10.0.0.2/"; ${narrow('public', 'private')}`],
    [lan, 'https://10.0.0.2/', undefined],
    [lan, 'https://auth.example.com/', undefined],
    [lan, 'https://localhost/', `"https://localhost/"; ${narrow('private', 'loopback')}`],
    [own, 'http://localhost:3/', undefined],
    [own, 'http://auth.example.com/', '"http://auth.example.com/"; expected an HTTPS URL'],
    [trusting, 'http://127.0.0.1:2/x', undefined],
    [trusting, 'http://127.0.0.1:3/x', '"http://127.0.0.1:3/x"; expected an HTTPS URL'],
    [trusting, 'ftp://a.example/', '"ftp://a.example/"; expected an HTTPS URL'],
    [open, 'file:///etc/passwd', '"file:///etc/passwd"; expected an HTTPS URL'],
    [open, `data:${'x'.repeat(200)}`, `"data:${'x'.repeat(95)}"; expected an HTTPS URL`],
    [open, '/relative', '"/relative"; expected an absolute URL'],
    [open, 'x'.repeat(101), `"${'x'.repeat(100)}"; expected an absolute URL`],
    [open, 'https://a.example/ b', '"https://a.example/ b"; expected an absolute URL'],
    [open, 'https://a.example/\u0085', '"https://a.example/\u0085"; expected an absolute URL'],
    [open, 'https://me@a.example/', '"https://a.example/"; expected a URL without credentials'],
    [open, 'https://:secret@a.example/', '"https://a.example/"; expected a URL without credentials'],
  ])('%o: %s', (rule, text, refused) => {
    const permitted = () => permittedUrl(text, 'issuer', rule).href;
    if (refused === undefined) expect(permitted()).toBe(text);
    else
      expect(permitted).toThrow(
        expect.objectContaining({ message: `Invalid issuer: ${refused}`, step: 'discovery' }),
      );
  });

  test('localhost and the addresses of the loopback are known', () => {
    expect(['localhost', 'a.localhost', '127.9.9.9', '[::1]'].map(isLoopback)).not.toContain(false);
    expect(['localhost.example', '10.0.0.1', 'a.example'].map(isLoopback)).not.toContain(true);
  });
});

test('a field of an unexpected type is left out', () => {
  const object = { text: 'a', empty: '', number: 1, list: ['a', 1, 'b'], zero: 0, late: '60', no: null };
  expect(Object.keys(object).map((name) => stringIn(object, name))).toEqual([
    'a',
    ...Array(4),
    '60',
    undefined,
  ]);
  expect(Object.keys(object).map((name) => stringsIn(object, name))).toEqual([
    ...Array(3),
    ['a', 'b'],
    ...Array(3),
  ]);
  expect(Object.keys(object).map((name) => secondsIn(object, name))).toEqual([
    ...Array(2),
    1,
    ...Array(2),
    60,
    undefined,
  ]);
  expect(secondsIn({ n: 'Infinity' }, 'n')).toBe(undefined);
});

describe('the replies of an authorization server', () => {
  const url = new URL('https://auth.example.com/token?secret=1');
  const reply = (status: number, json?: object, secrets?: readonly string[]) => () =>
    successOf({ response: { status, ok: status < 300 }, json } as never, 'token' as never, url, secrets);

  test('a success is JSON without an error', () => {
    expect(reply(200, { a: 1 })()).toEqual({ a: 1 });
    expect(reply(200, { error: '' })()).toEqual({ error: '' });
  });

  const at = '"https://auth.example.com/token"';
  test.each([
    [reply(200), { message: `${at} answers with HTTP 200 and no OAuth response`, transient: false }],
    [reply(404, {}), { message: `${at} answers with HTTP 404 and no OAuth response`, transient: false }],
    [reply(429), { transient: true }],
    [reply(499), { transient: false }],
    [reply(500), { transient: true }],
    // RFC 6749, section 5.2.
    [
      reply(400, { error: 'invalid_request' }),
      { message: `${at} refuses: invalid_request`, code: 'invalid_request', transient: false },
    ],
    [
      reply(200, { error: 'invalid_grant', error_description: 'no' }),
      { message: `${at} refuses: invalid_grant: no` },
    ],
    [reply(503, { error: 'x' }), { code: 'x', transient: true }],
    [reply(400, { error: 'temporarily_unavailable' }), { transient: true }],
    [reply(400, { error: 'server_error' }), { transient: true }],
    [
      reply(400, { error: 'aKEYb', error_description: 'KEY KEY' }, ['', 'KEY']),
      { message: `${at} refuses: a[secret]b: [secret] [secret]`, code: 'a[secret]b' },
    ],
  ])('%o becomes the error %j', (call, error) => {
    expect(call).toThrow(expect.objectContaining({ ...error, step: 'token' }));
  });

  test("a server's text is one line of 300 characters", () => {
    expect(shownText('a\r\n\tb\u2028\u2029\u200bc\u0007')).toBe('a b c ');
    expect(shownText('x'.repeat(301))).toBe('x'.repeat(300));
  });
});
