import { expect } from 'vitest';
import { z } from 'zod';
import { definePrompt, defineResource, defineTool } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const greet = definePrompt({
  name: 'greet',
  description: 'Greets.',
  inputSchema: z.object({ name: z.string() }),
  complete: { name: () => ['Ada'] },
  run: ({ name }) => `Hello ${name}`,
});
const now = defineResource({ uri: 'clock:///now', name: 'now', read: () => 'Now' });
const pi = defineResource({
  uri: 'number:///pi',
  name: 'pi',
  cache: { ttlMs: 86_400_000, scope: 'public' },
  read: () => '3.14',
});
const zone = defineResource({ uri: 'clock:///{zone}', name: 'zone', read: () => 'Now' });
const server = example({ tools: [hello], prompts: [greet], resources: [now, pi, zone] });

requirement(
  ['CACHE-01', 'CACHE-02', 'CACHE-09'],
  'a cacheable result has a lifetime and a scope',
  async (version) => {
    const wire = await Wire.open(server, version);
    const forAll = { ttlMs: 300_000, cacheScope: 'public' };
    const forUser = { ttlMs: 0, cacheScope: 'private' };
    for (const [method, params, hint] of [
      ['server/discover', {}, forAll],
      ['tools/list', {}, forAll],
      ['prompts/list', {}, forAll],
      ['resources/templates/list', {}, forAll],
      ['resources/list', {}, forUser],
      ['resources/read', { uri: now.uri }, forUser],
      ['resources/read', { uri: pi.uri }, { ttlMs: 86_400_000, cacheScope: 'public' }],
    ] as const) {
      expect(await wire.result(method, params), method).toMatchObject(hint);
    }
  },
);

requirement('CACHE-01', 'other results have no cache hints', async (version) => {
  const wire = await Wire.open(server, version);
  const name = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: '' } };
  for (const [method, params] of [
    ['tools/call', { name: 'hello' }],
    ['prompts/get', { name: 'greet', arguments: { name: 'Ada' } }],
    ['completion/complete', name],
  ] as const) {
    const result = await wire.result(method, params);
    expect(result).not.toHaveProperty('ttlMs');
    expect(result).not.toHaveProperty('cacheScope');
  }
});

requirement('CACHE-02', 'an invalid cache lifetime cannot be defined', (version) => {
  const kept = (ttlMs: number) =>
    defineResource({ uri: 'x:///y', name: 'y', cache: { ttlMs, scope: 'public' }, read: () => version });
  for (const ttlMs of [-1, 0.5, NaN, Infinity]) {
    expect(() => kept(ttlMs)).toThrow(
      `Invalid cache.ttlMs of the resource "x:///y": ${ttlMs}; expected an integer of 0 or more`,
    );
  }
  expect(kept(0).definition.cache).toEqual({ ttlMs: 0, scope: 'public' });
});
