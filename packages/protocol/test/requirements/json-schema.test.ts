import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, jsonSchema } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

async function listed(wire: Wire): Promise<JsonObject[]> {
  return (await wire.result('tools/list'))['tools'] as JsonObject[];
}

requirement(
  ['JSCH-01', 'JSCH-04'],
  'the schemas of a library are JSON Schema 2020-12, without a `$schema`',
  async (version) => {
    const pair = defineTool({
      name: 'pair',
      description: 'Takes what looks different in each dialect.',
      inputSchema: z.object({
        pair: z.tuple([z.string(), z.number()]),
        above: z.number().gt(5),
        map: z.record(z.string(), z.int()),
      }),
      run: () => 'Taken',
    });
    const wire = await Wire.open(example({ tools: [pair] }), version);
    expect((await listed(wire))[0]?.['inputSchema']).toEqual({
      type: 'object',
      properties: {
        pair: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'number' }],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
        above: { type: 'number', exclusiveMinimum: 5 },
        map: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'integer' } },
      },
      required: ['pair', 'above', 'map'],
    });
  },
);

requirement('JSCH-02', 'a schema keeps its own `$schema`, and its own validation', async (version) => {
  const draft7 = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { n: { type: 'number' } },
    definitions: {},
  };
  const old = defineTool({
    name: 'old',
    description: 'Has an old schema.',
    inputSchema: jsonSchema(draft7, (value) => {
      const { n } = value as { n?: unknown };
      if (typeof n !== 'number') throw new Error('"n" must be a number');
      return { n };
    }),
    run: ({ n }) => `${n + 1}`,
  });
  const wire = await Wire.open(example({ tools: [old] }), version);
  expect((await listed(wire))[0]?.['inputSchema']).toEqual(draft7);
  expect(await wire.call('old', { n: 1 })).toMatchObject({ content: [{ text: '2' }] });
  expect(await wire.call('old', { n: 'one' })).toMatchObject({
    content: [{ text: 'Invalid arguments for old: "n" must be a number.' }],
    isError: true,
  });
});

test.each(['inputSchema', 'outputSchema'])('an %s of an unsupported dialect is refused', (member) => {
  const schema = ($schema: string) =>
    jsonSchema<object>({ $schema, type: 'object' }, (value) => value as object);
  const define = ($schema: string) =>
    defineTool({ name: 'old', description: 'Is old.', [member]: schema($schema), run: () => 'Old' });
  for (const $schema of ['http://json-schema.org/draft-04/schema#', 'urn:unknown-dialect']) {
    expect(() => define($schema)).toThrow(
      `The ${member} of the tool "old" has an unsupported "$schema": "${$schema}"; ` +
        'expected JSON Schema 2020-12, 2019-09, draft-07 or draft-06',
    );
  }
  for (const $schema of [
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ]) {
    expect(() => define($schema)).not.toThrow();
  }
});

test.each(['inputSchema', 'outputSchema'])(
  'an embedded unsupported dialect in an %s is refused',
  (member) => {
    const define = (more: object) => {
      const schema = jsonSchema<object>({ type: 'object', ...more }, (value) => value as object);
      return () => defineTool({ name: 'old', description: 'Is old.', [member]: schema, run: () => 'Old' });
    };
    const old = { $schema: 'http://json-schema.org/draft-04/schema#' };
    const problem = `The ${member} of the tool "old" has an unsupported "$schema": "${old.$schema}"`;
    for (const more of [
      { properties: { n: old } },
      { $defs: { n: { allOf: [{ ...old, $id: 'urn:n' }] } } },
    ]) {
      expect(define(more)).toThrow(problem);
    }
    for (const keyword of ['default', 'examples', 'x-example']) {
      expect(define({ [keyword]: [{ ...old, $id: 'urn:n' }] })).not.toThrow();
    }
    const loop: { items?: object } = {};
    loop.items = loop;
    expect(define(loop)).toThrow(`The ${member} of the tool "old" is too large, or contains itself`);
  },
);

requirement('JSCH-05', 'a reference to a URL is published, and not fetched', async (version) => {
  let fetched = 0;
  const network = createServer((_, response) => (fetched++, response.end('{}'))).listen(0, '127.0.0.1');
  await once(network, 'listening');
  const { port } = network.address() as AddressInfo;
  const $ref = `http://127.0.0.1:${port}/schema.json`;
  const far = defineTool({
    name: 'far',
    description: 'Refers to far away.',
    inputSchema: jsonSchema({ type: 'object', properties: { far: { $ref } } }, (value) => value),
    outputSchema: jsonSchema<object>({ $ref }, (value) => value as object),
    run: () => ({}),
  });
  const wire = await Wire.open(example({ tools: [far] }), version);
  expect(await listed(wire)).toMatchObject([
    { inputSchema: { properties: { far: { $ref } } }, outputSchema: { $ref } },
  ]);
  expect(await wire.call('far', { far: 1 })).toMatchObject({ structuredContent: {} });
  await new Promise((closed) => network.close(closed));
  expect(fetched).toBe(0);
});

const circle = z.object({ shape: z.literal('circle'), radius: z.number() });
const square = z.object({ shape: z.literal('square'), side: z.number() });

test.each([
  ['a union', z.union([circle, square])],
  ['a discriminated union', z.discriminatedUnion('shape', [circle, square])],
  ['a union in a union', z.union([circle, z.union([square, z.object({ shape: z.literal('dot') })])])],
])('%s of objects is published as an object, and validates', async (_, inputSchema) => {
  const draw = defineTool({
    name: 'draw',
    description: 'Draws a shape.',
    inputSchema,
    run: (shape) => `Drew a ${shape.shape}`,
  });
  const wire = await Wire.open(example({ tools: [draw] }), '2026-07-28');
  expect((await listed(wire))[0]?.['inputSchema']).toMatchObject({ type: 'object' });
  const call = (args: object) => wire.result('tools/call', { name: 'draw', arguments: args });
  expect(await call({ shape: 'square', side: 2 })).toMatchObject({
    content: [{ type: 'text', text: 'Drew a square' }],
  });
  expect(await call({ shape: 'square' })).toMatchObject({ isError: true });
});
