import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool, jsonSchema } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const mark = (header: unknown) => ({ 'x-mcp-header': header });

const route = defineTool({
  name: 'route',
  description: 'Goes somewhere.',
  inputSchema: z.object({
    region: z.string().meta(mark('Region')).optional(),
    urgent: z.boolean().meta(mark('urgent')).optional(),
    many: z.int().meta(mark('Many')).optional(),
    to: z.object({ city: z.string().meta(mark('To.City')) }).optional(),
    free: z.string().optional(),
  }),
  run: (args) => JSON.stringify(args),
});

/** The result of `tools/list` for a tool with these `properties`. */
async function listing(version: string, properties: JsonObject, more: JsonObject = {}): Promise<unknown> {
  const tools = async () => [
    defineTool({
      name: 'marked',
      description: 'Marked.',
      inputSchema: jsonSchema<object>({ type: 'object', properties, ...more }, (value) => value as object),
      run: () => 'x',
    }),
  ];
  const wire = await Wire.open(example({ tools }), version);
  return (await wire.ask('tools/list'))['error'];
}

const wrong = (what: string) => ({
  code: -32603,
  message: `Invalid inputSchema of the tool "marked": ${what}`,
});

requirement(
  ['XHDR-01', 'XHDR-02'],
  'the value of x-mcp-header must be a valid header name',
  async (version) => {
    for (const header of [
      '',
      'two words',
      'line\r\nbreak',
      'tab\t',
      'über',
      'a:b',
      '\u0000',
      5,
      true,
      ['a'],
      {},
    ]) {
      expect(await listing(version, { region: { type: 'string', ...mark(header) } })).toEqual(
        wrong(`Invalid "x-mcp-header" of "region": ${JSON.stringify(header)}; expected a header name`),
      );
    }
    expect(
      await listing(version, { region: { type: 'string', ...mark("!#$%&'*+-.^_`|~aZ09") } }),
    ).toBeUndefined();
  },
);

requirement('XHDR-03', 'no two arguments share a header', async (version) => {
  const a = { type: 'string', ...mark('Region') };
  const b = { type: 'string', ...mark('rEGION') };
  const twice = wrong(
    'Two arguments have the header "mcp-param-region"; expected a different "x-mcp-header" for each',
  );
  expect(await listing(version, { a, b })).toEqual(twice);
  expect(await listing(version, { a, inner: { type: 'object', properties: { b } } })).toEqual(twice);
});

requirement('XHDR-04', 'only strings, integers and booleans are mirrored', async (version) => {
  for (const type of ['number', 'object', 'array', 'null', ['string', 'null'], undefined]) {
    expect(await listing(version, { region: { ...(type && { type }), ...mark('Region') } })).toEqual(
      wrong('"x-mcp-header" requires a string, integer or boolean; "region" has another type'),
    );
  }
  for (const type of ['string', 'integer', 'boolean']) {
    expect(await listing(version, { region: { type, ...mark('Region') } })).toBeUndefined();
  }
});

requirement('XHDR-05', 'an integer beyond the safe ones is refused', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [route] }), version);
  const call = (many: number) => wire.call('route', { many }, { 'mcp-param-many': String(many) });
  expect((await call(Number.MAX_SAFE_INTEGER)).status).toBe(200);
  expect((await call(Number.MIN_SAFE_INTEGER)).status).toBe(200);
  expect((await call(2 ** 53)).status).toBe(400);
  expect((await call(-(2 ** 53))).status).toBe(400);
});

requirement(
  'XHDR-06',
  'only arguments that are reached through `properties` alone are mirrored',
  async (version) => {
    const marked = { type: 'string', ...mark('Region') };
    const unreachable = wrong(
      '"x-mcp-header" is allowed only on properties directly under "properties", not in "items", "anyOf" or "$defs"',
    );
    for (const schema of [
      { items: marked },
      { items: { type: 'object', properties: { marked } } },
      { oneOf: [marked] },
      { anyOf: [{ properties: { marked } }] },
      { allOf: [{ properties: { marked } }] },
      { not: marked },
      { if: { properties: { marked } } },
      { additionalProperties: marked },
      { patternProperties: { x: marked } },
    ]) {
      expect(await listing(version, { inner: schema })).toEqual(unreachable);
      expect(await listing(version, {}, schema)).toEqual(unreachable);
    }
    expect(await listing(version, { a: { $ref: '#/$defs/a' } }, { $defs: { a: marked } })).toEqual(
      unreachable,
    );
    expect(await listing(version, {}, mark('Region'))).toEqual(unreachable);
    const deep = { type: 'object', properties: { inner: { type: 'object', properties: { marked } } } };
    expect(await listing(version, { deep })).toBeUndefined();
    // Not the keyword: the name of an argument, and data.
    expect(await listing(version, { 'x-mcp-header': { type: 'string' } })).toBeUndefined();
    expect(
      await listing(version, { a: { default: mark('A'), enum: [mark('A')], const: mark('A') } }),
    ).toBeUndefined();
  },
);

requirement('XHDR-08', 'an argument without its header is refused', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [route] }), version);
  for (const [args, header, says] of [
    [{ region: 'eu' }, 'mcp-param-region', '"eu"'],
    [{ urgent: false }, 'mcp-param-urgent', 'false'],
    [{ many: 0 }, 'mcp-param-many', '0'],
    [{ to: { city: 'Bern' } }, 'mcp-param-to.city', '"Bern"'],
  ] as const) {
    const value = String(JSON.parse(says));
    const response = await wire.call('route', args, { [header]: value });
    expect((await messageOf(response))['result']).toMatchObject({
      content: [{ text: JSON.stringify(args) }],
    });
    expect(await refusal(await wire.call('route', args))).toEqual([
      400,
      { code: -32020, message: `The header ${header} is missing, but the body has ${says}` },
    ]);
    expect(await refusal(await wire.call('route', args, { [header]: 'other' }))).toEqual([
      400,
      { code: -32020, message: `The header ${header} is "other", but the body has ${says}` },
    ]);
  }
});

requirement('XHDR-09', 'no header is required for an absent argument', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [route] }), version);
  for (const args of [{}, { region: null }, { to: null }, { to: {} }, { free: 'x' }]) {
    expect((await wire.call('route', args)).status).toBe(200);
  }
  // A header without a counterpart in the body would deceive a proxy that routes by it.
  expect(await refusal(await wire.call('route', {}, { 'mcp-param-region': 'eu' }))).toEqual([
    400,
    { code: -32020, message: 'The header mcp-param-region is "eu", but the body has nothing' },
  ]);
});

requirement('XHDR-10', 'an undecodable header is refused', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [route] }), version);
  const status = async (region: string | undefined, header: string) =>
    (await wire.call('route', region === undefined ? {} : { region }, { 'mcp-param-region': header })).status;
  expect(await status('Zürich', `=?base64?${Buffer.from('Zürich').toString('base64')}?=`)).toBe(200);
  expect(await status(' padded ', `=?base64?${Buffer.from(' padded ').toString('base64')}?=`)).toBe(200);
  expect(await status('a\r\nb: c', `=?base64?${Buffer.from('a\r\nb: c').toString('base64')}?=`)).toBe(200);
  for (const region of ['Zürich', undefined]) {
    expect(await status(region, 'Z\u00fcrich')).toBe(400);
    expect(await status(region, '=?base64?Z*rich?=')).toBe(400);
    expect(await status(region, '=?base64?WsO8cmljaA?=')).toBe(400);
    expect(await status(region, '=?base64?Wvxy?=')).toBe(400);
  }
});

requirement('XHDR-11', 'headers without a corresponding argument are ignored', async (version) => {
  await using wire = await HttpWire.open(example({ tools: [route] }), version);
  const headers = {
    'mcp-param-unknown': 'x',
    'mcp-param-free': 'other',
    'mcp-param-': 'x',
    'mcp-other': 'y',
  };
  expect((await wire.call('route', { free: 'this' }, headers)).status).toBe(200);
});
