import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, type Connector, serverAt } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { cellsOf } from './blocks.ts';
import { foreignLibraries, LibraryPrograms, libraryOf, placeOf } from './library-programs.ts';
import { codeBlocks, docs, readPage, repository } from './pages.ts';

const run = promisify(execFile);

const stdio = (program: string) =>
  serverCommand({ command: process.execPath, args: [program], stderr: 'ignore' });

/** What a server of notes answers; `confirm` is the user's answer to its question. */
async function answersOf(server: Connector, confirm: boolean) {
  const questions: string[] = [];
  await using client = await Client.connect(server, {
    async elicit({ message }) {
      questions.push(message);
      return { action: 'accept', content: { confirm } };
    },
  });
  const textOf = (part: object | undefined) => part && 'text' in part && part.text;
  return {
    tools: (await client.listTools()).map(({ name, description }) => ({ name, description })),
    added: (await client.callTool('add_note', { id: 'bread', text: 'Buy bread' })).structuredContent,
    refused: (await client.callTool('add_note', { id: 'bread' }).catch(() => ({ isError: true }))).isError,
    note: textOf((await client.readResource('note:///bread')).contents[0]),
    noNote: await client.readResource('note:///nothing').catch(() => 'refused'),
    suggestions: (await client.complete({ resource: 'note:///{id}' }, { name: 'id', value: 'br' })).values,
    prompt: textOf((await client.getPrompt('shorten', { id: 'milk' })).messages[0]?.content),
    cleared: (await client.callTool('clear_notes')).isError ?? false,
    questions,
    left: await client.readResource('note:///milk').then(
      ({ contents }) => textOf(contents[0]),
      () => 'refused',
    ),
  };
}

describe.each(['fastmcp', 'tmcp'])('coming-from/%s.md', (library) => {
  test.for([true, false])(
    'both servers give the same answers, if the user says %s',
    async (confirm, context) => {
      context.skip(placeOf(library) === undefined, `${library} is not installed`);
      using programs = new LibraryPrograms(library);
      const ours = await answersOf(stdio(programs.ours), confirm);
      expect(ours).toMatchObject({ added: { notes: 2 }, cleared: !confirm });
      expect(ours).toEqual(await answersOf(stdio(programs.theirs[0]!), confirm));
    },
  );
});

test.for(foreignLibraries)('coming-from/%s.md: their program compiles', async (library, context) => {
  context.skip(placeOf(library) === undefined, `${library} is not installed`);
  using programs = new LibraryPrograms(library);
  const project = join(programs.ours, '../tsconfig.json');
  const extended = join(repository, 'tsconfig.base.json');
  writeFileSync(
    project,
    JSON.stringify({ extends: extended, compilerOptions: { noEmit: true }, files: programs.theirs }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['--project', project]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test.each(['fastmcp', 'fastmcp-python', 'tmcp', 'xmcp'])(
  'coming-from/%s.md: our server answers',
  async (name) => {
    mkdirSync(join(docs, '.generated'), { recursive: true });
    const directory = mkdtempSync(join(docs, '.generated/coming-from-'));
    try {
      const [block] = codeBlocks(`coming-from/${name}.md`).filter(
        (each) => each.language === 'ts' && libraryOf(each) === undefined,
      );
      const file = join(directory, 'server.ts');
      writeFileSync(file, block!.code);
      expect(await answersOf(stdio(file), true)).toEqual({
        tools: [
          { name: 'add_note', description: 'Adds a note.' },
          { name: 'clear_notes', description: 'Deletes all notes.' },
        ],
        added: { notes: 2 },
        refused: true,
        note: 'Buy bread',
        noNote: 'refused',
        suggestions: ['bread'],
        prompt: 'Shorten this: Buy milk',
        cleared: false,
        questions: ['Delete 2 notes?'],
        left: 'refused',
      });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

test.for(['2025-11-25', '2026-07-28'])(
  'coming-from/mcp-handler.md: both routes give the same answers at %s',
  async (revision, context) => {
    context.skip(placeOf('mcp-handler') === undefined, 'mcp-handler is not installed');
    using programs = new LibraryPrograms('mcp-handler');
    const answers = [programs.theirs[0]!, programs.ours].map(async (file) => {
      const { handler } = (await import(pathToFileURL(file).href)) as {
        handler: (request: Request) => Promise<Response>;
      };
      const fetch = (url: string | URL | Request, init?: RequestInit) => handler(new Request(url, init));
      await using client = await Client.connect(serverAt('http://localhost/api/mcp', { fetch }), {
        revision,
      });
      return {
        revision: client.revision,
        tools: (await client.listTools()).map(({ name, description }) => ({ name, description })),
        added: (await client.callTool('add_note', { id: 'bread', text: 'Buy bread' })).structuredContent,
      };
    });
    const [theirs, ours] = await Promise.all(answers);
    expect(ours).toEqual(theirs);
    expect(ours?.added).toEqual({ notes: 2 });
  },
);

test.each(['fastmcp', 'fastmcp-python', 'mcp-handler', 'tmcp', 'xmcp'])(
  'coming-from/%s.md names functions that our packages have',
  async (name) => {
    const entries = ['', '/stdio', '/http', '/web', '/wrap', '/state', '/tasks', '/testing', '/telemetry'];
    const modules = [...entries.map((entry) => `@mcp/protocol${entry}`), '@mcp/openapi', '@mcp/verifiers'];
    const exported = await Promise.all(modules.map(async (each) => [each, Object.keys(await import(each))]));
    const namesOf = new Map(exported as [string, string[]][]);
    const here = readPage(`coming-from/${name}.md`)
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => cellsOf(line)[1] ?? '');
    expect(here.length).toBeGreaterThan(5);
    // Functions that are called, as in `defineTool({ … })`, but not methods, as in `call.ask(…)`.
    const called = here.flatMap((cell) =>
      [...cell.matchAll(/(?<![.\w])([a-z]\w*)\(/g)].map(([, each]) => each),
    );
    expect([...namesOf.values()].flat()).toEqual(expect.arrayContaining([...new Set(called)]));
    for (const [, each, module] of here.join('\n').matchAll(/`(\w+)(?:\(.*?\))?` of `(@mcp\/[\w/]+)`/g))
      expect(namesOf.get(module!), module).toContain(each);
  },
);
