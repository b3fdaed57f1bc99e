import fc from 'fast-check';
import { parseTemplate } from 'url-template';
import { expect, test } from 'vitest';
import { call, StubApi, toolsOf } from './stub-api.ts';

const color = {
  string: 'blue',
  empty: '',
  array: ['blue', 'black', 'brown'],
  object: { R: 100, G: 200, B: 150 },
};

// The table of OpenAPI 3.1.1, section 4.8.12.4, with the operators of RFC 6570.
test.each([
  ['path', 'matrix', false, [';color=blue', ';color', ';color=blue,black,brown', ';color=R,100,G,200,B,150']],
  [
    'path',
    'matrix',
    true,
    [';color=blue', ';color', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ],
  ['path', 'label', false, ['.blue', undefined, '.blue,black,brown', '.R,100,G,200,B,150']],
  ['path', 'label', true, ['.blue', undefined, '.blue.black.brown', '.R=100.G=200.B=150']],
  ['path', 'simple', false, ['blue', undefined, 'blue,black,brown', 'R,100,G,200,B,150']],
  ['path', 'simple', true, ['blue', undefined, 'blue,black,brown', 'R=100,G=200,B=150']],
  ['query', 'form', false, ['?color=blue', '?color=', '?color=blue,black,brown', '?color=R,100,G,200,B,150']],
  [
    'query',
    'form',
    true,
    ['?color=blue', '?color=', '?color=blue&color=black&color=brown', '?R=100&G=200&B=150'],
  ],
  [
    'query',
    'spaceDelimited',
    false,
    ['?color=blue', '?color=', '?color=blue%20black%20brown', '?color=R%20100%20G%20200%20B%20150'],
  ],
  [
    'query',
    'pipeDelimited',
    false,
    ['?color=blue', '?color=', '?color=blue%7Cblack%7Cbrown', '?color=R%7C100%7CG%7C200%7CB%7C150'],
  ],
  [
    'query',
    'deepObject',
    true,
    [undefined, undefined, undefined, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ],
] as const)('%s, %s, explode %s', async (place, style, explode, wanted) => {
  await using api = await StubApi.start();
  const path = place === 'path' ? '/{color}' : '/';
  const parameters = [{ name: 'color', in: place, style, explode, required: true, schema: {} }];
  const tools = toolsOf('get', path, { parameters }, { baseUrl: api.origin });
  for (const [index, value] of Object.values(color).entries()) {
    if (wanted[index] === undefined) continue;
    expect((await call(tools, 'it', { color: value })).isError).toBeUndefined();
    expect(api.last.target).toBe(`/${wanted[index]}`);
  }
});

test('headers and cookies', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'X-List', in: 'header', schema: { type: 'array' } },
    { name: 'X-Object', in: 'header', explode: true, schema: { type: 'object' } },
    { name: 'session', in: 'cookie', schema: { type: 'string' } },
    { name: 'flags', in: 'cookie', explode: false, schema: { type: 'array' } },
    { name: 'ids', in: 'cookie', schema: { type: 'array' } },
    { name: 'Accept', in: 'header', schema: { type: 'string' } },
  ];
  const headers = { cookie: 'login=secret' };
  const tools = toolsOf('get', '/', { parameters }, { baseUrl: api.origin, headers });
  expect(Object.keys(tools[0]!.inputJson['properties'] as object)).not.toContain('Accept');
  await call(tools, 'it', {
    'X-List': ['a b', 'c'],
    'X-Object': { R: 1, G: 2 },
    session: 'a;b=c',
    flags: ['x', 'y'],
    ids: [1, 2],
  });
  expect(api.last.headers).toMatchObject({
    'x-list': 'a b,c',
    'x-object': 'R=1,G=2',
    cookie: 'session=a%3Bb%3Dc; flags=x,y; ids=1; ids=2; login=secret',
  });
});

test('a content of JSON, reserved characters, nested objects', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    { name: 'url', in: 'query', allowReserved: true, schema: { type: 'string' } },
    { name: 'deep', in: 'query', style: 'deepObject', schema: { type: 'object' } },
    { name: 'none', in: 'query', schema: { type: 'array' } },
  ];
  const tools = toolsOf('get', '/', { parameters }, { baseUrl: api.origin });
  await call(tools, 'it', {
    filter: { a: [1] },
    url: 'http://x/?a=1&b=2#c+d%',
    deep: { a: { b: 1 }, c: null },
    none: [],
  });
  expect(api.last.target).toBe(
    '/?filter=%7B%22a%22%3A%5B1%5D%7D&url=http://x/?a%3D1%26b%3D2%23c%2Bd%25&deep%5Ba%5D%5Bb%5D=1',
  );
  expect(await call(tools, 'it', { deep: { a: [1] } })).toEqual({
    isError: true,
    text: 'Argument "deep": a list or object inside a list or object cannot be sent in this place',
  });
});

/** Templates of RFC 6570 for each style: without and with explode. */
const templates = {
  simple: ['{name}', '{name*}'],
  label: ['{.name}', '{.name*}'],
  matrix: ['{;name}', '{;name*}'],
  form: ['{?name}', '{?name*}'],
} as const;

const text = fc.string({
  unit: fc.constantFrom(...Array.from('aZ09-._~ !$&\'()*+,;=:@/?#[]%"<>\\|é€😀\n')),
  minLength: 1,
});
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.array(text, { minLength: 1, maxLength: 4 }),
  fc.dictionary(text, text, { minKeys: 1, maxKeys: 4 }),
);

/** Whether a value, or the path that it becomes, has a part "." or ".." once separators are decoded. */
function hasDots(each: unknown, path: string): boolean {
  const leaves = typeof each === 'object' ? Object.entries(each as object).flat() : [each];
  return [...leaves, decodeURIComponent(path)].some((text) =>
    /(^|[/\\])\.{1,2}($|[/\\;])/.test(String(text).replaceAll('\n', '')),
  );
}

test.each(Object.keys(templates) as (keyof typeof templates)[])(
  'any value in the style %s is sent as RFC 6570 expands it',
  async (style) => {
    await using api = await StubApi.start();
    for (const explode of [false, true]) {
      const place = style === 'form' ? 'query' : 'path';
      const parameters = [{ name: 'name', in: place, style, explode, required: true, schema: {} }];
      const path = place === 'path' ? '/x{name}' : '/x';
      const tools = toolsOf('get', path, { parameters }, { baseUrl: api.origin });
      const template = parseTemplate(`/x${templates[style][explode ? 1 : 0]}`);
      const check = async (name: unknown) => {
        const target = template.expand({ name: name as string });
        const isRefused = place === 'path' && hasDots(name, target);
        const outcome = await call(tools, 'it', { name });
        expect(outcome.isError).toBe(isRefused ? true : undefined);
        if (!isRefused) expect(api.last.target).toBe(target);
      };
      await fc.assert(fc.asyncProperty(value, check), { numRuns: 60 });
    }
  },
);
