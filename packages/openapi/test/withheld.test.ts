import { expect, test } from 'vitest';
import type { OpenApiOptions } from '../src/index.ts';
import { call, StubApi, toolsOf } from './stub-api.ts';

const string = { type: 'string' };
const any = { type: 'object' };
const ways = [
  ['omit', { omit: ['admin'] }, ''],
  ['fixed', { fixed: { admin: 'no' } }, 'admin=no'],
] as const;

function make(parameters: object[], it: object, baseUrl: string, path = '/x') {
  return toolsOf('get', path, { parameters }, { baseUrl, operations: { it } });
}

test.each(ways)('members of an object do not become a parameter of `%s`', async (_, it, sent) => {
  await using api = await StubApi.start();
  for (const place of ['query', 'cookie']) {
    const parameters = [
      { name: 'admin', in: place, schema: string },
      { name: 'more', in: place, schema: any },
    ];
    const tools = make(parameters, it, api.origin);
    for (const name of ['admin', 'Admin', ' admin', 'admin[]', 'admin[a]']) {
      const { text } = await call(tools, 'it', { more: { other: '1', [name]: 'yes' } });
      expect(text).toBe(`Argument "more": "${name}" is not a parameter of this tool; leave it out`);
    }
    expect(api.received).toEqual([]);
    await call(tools, 'it', { more: { admins: '1' } });
    const got = place === 'query' ? api.last.target : api.last.headers.cookie;
    expect(got).toContain('admins=1');
    expect(got).toContain(sent);
    api.received.length = 0;
  }
});

test.each(ways)('members of a nested object do not become a parameter of `%s`', async (_, it) => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'filter[admin]', in: 'query', schema: string },
    { name: 'filter', in: 'query', style: 'deepObject', schema: any },
  ];
  const [key] = Object.keys(it) as ['omit' | 'fixed'];
  const own = key === 'omit' ? { omit: ['filter_admin'] } : { fixed: { filter_admin: 'no' } };
  const tools = make(parameters, own, api.origin);
  for (const filter of [{ admin: 'yes' }, { ADMIN: 'yes' }, { admin: { a: 'yes' } }, { 'admin][': 'yes' }]) {
    expect((await call(tools, 'it', { filter })).text).toContain('is not a parameter of this tool');
  }
  expect(api.received).toEqual([]);
  expect((await call(tools, 'it', { filter: { name: 'a' } })).isError).toBeUndefined();
  expect(api.last.target).toContain('filter%5Bname%5D=a');
});

test('members of an object in a path or a form do not replace a fixed value', async () => {
  await using api = await StubApi.start();
  const parameters = ['role', 'more'].map((name) => ({
    name,
    in: 'path',
    required: true,
    style: 'matrix',
    explode: true,
    schema: name === 'role' ? string : any,
  }));
  const path = make(parameters, { fixed: { role: 'user' } }, api.origin, '/x{role}{more}');
  expect((await call(path, 'it', { more: { role: 'admin' } })).text).toContain('"role" is not a parameter');
  const content = {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: { role: string, more: any, deep: any } },
      encoding: { more: { style: 'form' }, deep: { style: 'deepObject' } },
    },
  };
  const options: Partial<OpenApiOptions> = {
    baseUrl: api.origin,
    operations: { it: { fixed: { role: 'user' } } },
  };
  const form = toolsOf('post', '/', { requestBody: { required: true, content } }, options);
  expect((await call(form, 'it', { more: { role: 'admin' } })).text).toContain('"role" is not a parameter');
  expect(api.received).toEqual([]);
  await call(form, 'it', { more: { name: 'a' }, deep: { role: 'admin' } });
  expect(api.last.body).toBe('role=user&name=a&deep%5Brole%5D=admin');
});

test('a fixed object is sent, although its members have the names of others', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'sort', in: 'query', schema: string },
    { name: 'more', in: 'query', schema: any },
  ];
  const it = { fixed: { more: { sort: 'year' } }, omit: ['sort'] };
  await call(make(parameters, it, api.origin), 'it');
  expect(api.last.target).toBe('/x?sort=year');
});

test('headers whose names differ in case are one argument', async () => {
  await using api = await StubApi.start();
  const tools = (it: object) =>
    make(
      ['X-Role', 'x-role', 'X-ROLE'].map((name) => ({ name, in: 'header', schema: string })),
      it,
      api.origin,
    );
  const [tool] = tools({ fixed: { 'X-ROLE': 'user' } });
  expect(tool!.inputJson['properties']).toEqual({});
  await call([tool!], 'it');
  expect(api.last.headers['x-role']).toBe('user');
});

test('an argument with the same name in another place needs a decision of the author', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'account', in: 'query', schema: string },
    { name: 'Account', in: 'header', schema: string },
  ];
  for (const it of [{ fixed: { account: 'mine' } }, { omit: ['account'] }]) {
    expect(() => make(parameters, it, api.origin)).toThrow(
      'callers could still give "account" as "Account", which has the same name: put it into `omit` or ' +
        '`fixed`, or describe it in `descriptions` if they may',
    );
    const both = make(parameters, { ...it, descriptions: { Account: 'Whose books' } }, api.origin);
    expect(Object.keys(both[0]!.inputJson['properties'] as object)).toEqual(['Account']);
  }
  const none = make(parameters, { fixed: { account: 'mine' }, omit: ['Account'] }, api.origin);
  await call(none, 'it');
  expect(api.last.target).toBe('/x?account=mine');
  expect(api.last.headers['account']).toBeUndefined();
});

test('arguments do not replace or double the headers, cookies and query of the author', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'KEY', in: 'query', schema: string },
    { name: 'more', in: 'query', schema: any },
    { name: 'SID', in: 'cookie', schema: string },
    { name: 'crumbs', in: 'cookie', schema: any },
    { name: 'X-TENANT', in: 'header', schema: string },
  ];
  const added = { headers: { Cookie: 'a=1; sid=own', 'x-tenant': 'own' }, query: { key: 'own' } };
  const tools = toolsOf('get', '/', { parameters }, { baseUrl: api.origin, ...added });
  await call(tools, 'it', {
    KEY: 'theirs',
    more: { 'key[]': 'theirs', Key: 'theirs', page: '2' },
    SID: 'theirs',
    crumbs: { sid: 'theirs', ' sid': 'theirs', b: '2' },
    'X-TENANT': 'theirs',
  });
  expect(api.last.target).toBe('/?page=2&key=own');
  expect(api.last.headers).toMatchObject({ cookie: 'b=2; a=1; sid=own', 'x-tenant': 'own' });
});

test('with `allowReserved`, a value has no character that begins another parameter', async () => {
  await using api = await StubApi.start();
  const parameters = [{ name: 'url', in: 'query', allowReserved: true, schema: string }];
  await call(make(parameters, {}, api.origin), 'it', { url: 'a&b;c=d#e[f]+' });
  expect(api.last.target).toBe('/x?url=a%26b%3Bc%3Dd%23e%5Bf%5D%2B');
});
