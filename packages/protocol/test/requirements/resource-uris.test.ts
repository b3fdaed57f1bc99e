import { expect } from 'vitest';
import { defineResource, UriTemplate } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

requirement('RES-10', 'an invalid URI is refused before any handler runs', async (version) => {
  const read: string[] = [];
  const any = defineResource({
    uri: 'any:{+rest}',
    name: 'any',
    read: (_, { uri }) => (read.push(uri), uri),
  });
  const wire = await Wire.open(example({ resources: [any] }), version);
  for (const uri of [
    '',
    'no scheme',
    '/absolute',
    '1any:x',
    'any:with space',
    'any:\u0000',
    'any:\n',
    'a_b:x',
  ]) {
    expect(await wire.error('resources/read', { uri })).toEqual({
      code: -32602,
      message: `Not a URI: ${JSON.stringify(uri)}`,
      data: { uri },
    });
  }
  for (const uri of [undefined, null, 7, {}, ['any:x']]) {
    expect(await wire.error('resources/read', { uri })).toEqual({
      code: -32602,
      message: '"uri" must be a string',
    });
  }
  expect(await wire.error('resources/read', { uri: 'any:%ZZ' })).toEqual({
    code: -32602,
    message: 'Malformed percent-encoding in "any:%ZZ"',
    data: { uri: 'any:%ZZ' },
  });
  expect(read).toEqual([]);
});

requirement('RES-10', 'a variable is decoded once, and does not match across a slash', async (version) => {
  const seen: string[] = [];
  const one = defineResource({
    uri: 'page:///{name}',
    name: 'page',
    read: ({ name }) => (seen.push(name), name),
  });
  const wire = await Wire.open(example({ resources: [one] }), version);
  await wire.result('resources/read', { uri: 'page:///a%20b' });
  await wire.result('resources/read', { uri: 'page:///%252e%252e' });
  await wire.error('resources/read', { uri: 'page:///a/../b' });
  expect(seen).toEqual(['a b', '%2e%2e']);
});

requirement('RES-15', 'a resource with an invalid URI scheme cannot be defined', (version) => {
  const at = (uri: string) => defineResource({ uri, name: 'x', read: () => version });
  for (const uri of ['', 'none', '/path', '1st:x', 'a_b:x', 'über:x', ':x', '{scheme}:x']) {
    expect(() => at(uri)).toThrow(
      `Invalid URI of a resource: ${JSON.stringify(uri)}; expected one with a scheme`,
    );
  }
  for (const uri of ['a:x', 'git+ssh://x', 'x-y.z:1', 'File:///x']) expect(at(uri).uri).toBe(uri);
});

requirement('RES-16', 'templates are published unchanged, and matched by RFC 6570', async (version) => {
  const file = defineResource({
    uri: 'file:///{+path}',
    name: 'file',
    read: ({ path }) => path,
  });
  const search = defineResource({
    uri: 'find://{place}/notes{/part*}{?q,limit}',
    name: 'search',
    read: ({ place, part, q, limit }) => JSON.stringify({ place, part, q, limit }),
  });
  const wire = await Wire.open(example({ resources: [file, search] }), version);
  expect((await wire.result('resources/templates/list'))['resourceTemplates']).toEqual([
    { uriTemplate: 'file:///{+path}', name: 'file' },
    { uriTemplate: 'find://{place}/notes{/part*}{?q,limit}', name: 'search' },
  ]);
  const text = async (uri: string) => {
    const { contents } = await wire.result('resources/read', { uri });
    return (contents as JsonObject[])[0]?.['text'];
  };
  expect(await text('file:///a/b%20c.txt')).toBe('a/b c.txt');
  expect(await text('find://home/notes/a/b?limit=5&q=x%26y')).toBe(
    '{"place":"home","part":["a","b"],"q":"x&y","limit":"5"}',
  );
  expect(await text('find://home/notes')).toBe('{"place":"home","part":[]}');
});

requirement('RES-16', 'templates expand to the URIs of RFC 6570', (version) => {
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', list: ['red', 'green'], x: '1024' };
  for (const [template, uri] of [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['{#path,x}', '#/foo/bar,1024'],
    ['X{.var}', 'X.value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/list*}', '/red/green'],
    ['{;x,list}', ';x=1024;list=red,green'],
    ['{?x,list*}', '?x=1024&list=red&list=green'],
    ['{&x}', '&x=1024'],
    ['{var:3}', 'val'],
    ['{none}', ''],
  ] as const) {
    expect(new UriTemplate(template).expand(values), `${template} at ${version}`).toBe(uri);
  }
  expect(() => new UriTemplate('x:{open')).toThrow('Unbalanced braces in the URI template "x:{open"');
});
