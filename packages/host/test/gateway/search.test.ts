import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineServer, defineTool } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { expect, onTestFinished, test } from 'vitest';
import { GatewayProgram, textOf } from './gateway-program.ts';
import { manyTools, tasks } from './many-tools.ts';

const ownServers = ['filesystem', 'git', 'sqlite', 'weather', 'run'];

/** The tools of the servers of this repository, as they are published. */
function published(server: string): readonly { readonly name: string; readonly description: string }[] {
  const file = fileURLToPath(new URL(`../../../../servers/${server}/test/published.json`, import.meta.url));
  return (JSON.parse(readFileSync(file, 'utf8')) as { tools: ReturnType<typeof published> }).tools;
}

test('with --lazy, the right one of 300 tools is among the first three for 85 % of the tasks', async () => {
  const others = Object.entries(manyTools).map(([server, lines]) => {
    const tools = lines.split('\n').map((line) => {
      const [name = '', description = ''] = line.split(': ', 2);
      return { name, description };
    });
    return [server, tools] as const;
  });
  const all = [...others, ...ownServers.map((server) => [server, published(server)] as const)];
  const listeners = await Promise.all(
    all.map(async ([server, tools]) => {
      const made = tools.map(({ name, description }) => defineTool({ name, description, run: () => name }));
      const listener = await serveHttp(defineServer({ name: server, version: '1.0.0', tools: made }));
      return { server, listener };
    }),
  );
  const urls = listeners.map(({ server, listener }) => [server, { url: listener.url }] as const);
  const gateway = new GatewayProgram(Object.fromEntries(urls), '--lazy');
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
    await Promise.all(listeners.map(({ listener }) => listener.close()));
  });
  expect(all.reduce((sum, [, tools]) => sum + tools.length, 0)).toBeGreaterThanOrEqual(300);
  expect(tasks.length).toBeGreaterThanOrEqual(30);
  const client = await gateway.stdio();
  const missed: string[] = [];
  for (const [query, server, tool] of tasks) {
    const lines = textOf(await client.callTool('list_tools', { query })).split('\n');
    const names = lines.map((line) => line.split(':', 1)[0]);
    const place = names.indexOf(`${server}__${tool}`);
    if (place < 0 || place > 2)
      missed.push(`${query}: ${server}__${tool} at ${place}; ${names.slice(0, 3).join(', ')}`);
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.15 * tasks.length);
});
