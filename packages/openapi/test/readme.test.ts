import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { json, StubApi } from './stub-api.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function write(name: string, program: string): string {
  // In the package, so that the program finds it by its name.
  const directory = `${root}test/fixtures/${name}-${process.pid}/`;
  mkdirSync(directory, { recursive: true });
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(`${directory}program.ts`, program);
  return `${directory}program.ts`;
}

test('the program of the README has one tool, which calls the API with its token', async () => {
  const pet = { id: 7, name: 'Rex' };
  await using api = await StubApi.start(json(pet));
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}README.md`, 'utf8')) ?? [];
  const file = write('readme', program.replace('https://pets.example', api.origin));
  const env = { PETS_TOKEN: 'secret-token' };
  await using client = await Client.connect(
    serverCommand({ command: process.execPath, args: ['--conditions=@mcp/source', file], env }),
  );
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['get_pet']);
  expect((await client.callTool('get_pet', { id: 7 })).structuredContent).toEqual(pet);
  expect(api.last).toMatchObject({ target: '/v1/pets/7', headers: { authorization: 'Bearer secret-token' } });
});

test('the example of `openApiTools` runs', async () => {
  const source = readFileSync(`${root}src/open-api-tools.ts`, 'utf8');
  const [, example = ''] = / \* @example\n \* ```ts\n((?: \*.*\n)+?) \* ```/.exec(source) ?? [];
  const { server } = (await import(write('example', example.replace(/^ \* ?/gm, '')))) as {
    server: { definition: { tools: readonly { name: string }[] } };
  };
  expect(server.definition.tools.map(({ name }) => name)).toEqual(['getPet']);
});
