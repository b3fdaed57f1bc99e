import { expect } from 'vitest';
import { definePrompt, defineResource, defineTool, LiveList } from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const tool = (name: string) => defineTool({ name, description: 'x', run: () => name });

const lists = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const;

function five() {
  return example({
    pageSize: 2,
    tools: names.map(tool),
    prompts: names.map((name) => definePrompt({ name, description: 'x', run: () => name })),
    resources: [
      ...names.map((name) => defineResource({ uri: `page:///${name}`, name, read: () => name })),
      ...names.map((name) => defineResource({ uri: `${name}:///{x}`, name, read: () => name })),
    ],
  });
}

/** The pages of a list, each as the names on it. */
async function pages(wire: Wire, method: string, key: string): Promise<unknown[][]> {
  const all = [];
  let cursor: unknown;
  do {
    const page = await wire.result(method, cursor === undefined ? {} : { cursor });
    all.push((page[key] as JsonObject[]).map(({ name }) => name));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return all;
}

requirement('PAGE-06', 'every list is paginated, and the last page has no cursor', async (version) => {
  const wire = await Wire.open(five(), version);
  for (const [method, key] of lists) {
    expect(await pages(wire, method, key), method).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  }
});

requirement('PAGE-06', 'a list that fits on one page has no cursor', async (version) => {
  const wire = await Wire.open(example({ pageSize: 5, tools: names.map(tool) }), version);
  expect(await wire.result('tools/list')).not.toHaveProperty('nextCursor');
});

requirement('PAGE-01', 'a cursor stays valid while the list changes', async (version) => {
  const tools = new LiveList(names.map(tool));
  const wire = await Wire.open(example({ pageSize: 2, tools }), version);
  const shown = async (cursor: unknown) =>
    ((await wire.result('tools/list', { cursor }))['tools'] as JsonObject[]).map(({ name }) => name);
  const { nextCursor } = await wire.result('tools/list');
  expect(await shown(nextCursor)).toEqual(['c', 'd']);
  expect(await shown(nextCursor)).toEqual(['c', 'd']);
  tools.replace(['new', ...names].map(tool));
  expect(await shown(nextCursor)).toEqual(['c', 'd']);
  tools.replace(['b', 'd', 'e'].map(tool));
  expect(await shown(nextCursor)).toEqual(['d', 'e']);
  tools.replace(['c', 'd', 'e'].map(tool));
  expect(await shown(nextCursor)).toEqual(['e']);
  tools.replace([tool('c')]);
  expect(await shown(nextCursor)).toEqual([]);
});

requirement(['PAGE-01', 'PAGE-02'], 'an invalid cursor is refused', async (version) => {
  const wire = await Wire.open(five(), version);
  const { nextCursor } = await wire.result('tools/list');
  for (const [method, key] of lists) {
    const foreign = key === 'tools' ? `x${nextCursor as string}` : nextCursor;
    for (const cursor of ['', 'wrong', 'W10', 7, null, {}, foreign]) {
      expect(await wire.error(method, { cursor }), `${method} ${JSON.stringify(cursor)}`).toEqual({
        code: -32602,
        message: `Invalid "cursor" for ${key}; omit it to start at the first page`,
      });
    }
  }
});

requirement(['PAGE-07', 'CACHE-03'], 'all pages of a list have the same scope', async (version) => {
  const wire = await Wire.open(five(), version);
  for (const [method] of lists) {
    const scopes = [];
    let cursor: unknown;
    do {
      const page = await wire.result(method, cursor === undefined ? {} : { cursor });
      scopes.push(page['cacheScope']);
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(scopes).toHaveLength(3);
    expect(new Set(scopes).size, method).toBe(1);
  }
  expect(version).toBe(stateless);
});

requirement('PAGE-01', 'the pagination of a list with duplicates ends', async (version) => {
  const same = defineResource({
    uri: 'page:///{name}',
    name: 'page',
    read: ({ name }) => name,
    list: () => ['a', 'a', 'a', 'b', 'a'].map((name) => ({ uri: `page:///${name}`, name })),
  });
  const wire = await Wire.open(example({ pageSize: 2, resources: [same] }), version);
  const shown: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < 3; page++) {
    const result = await wire.result('resources/list', cursor === undefined ? {} : { cursor });
    shown.push(...(result['resources'] as JsonObject[]).map(({ name }) => name));
    cursor = result['nextCursor'];
  }
  expect(shown).toEqual(['a', 'a', 'a', 'b', 'a']);
  expect(cursor).toBeUndefined();
});
