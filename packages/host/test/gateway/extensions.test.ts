import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extensionSettings } from '@mcp/protocol';
import { listSkills, skillsExtension } from '@mcp/skills';
import { TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, describe, expect, test } from 'vitest';
import { echo, named } from './extension-server.ts';
import { GatewayProgram, probeServer } from './gateway-program.ts';

const server = bundledProgram(fileURLToPath(new URL('extension-server.ts', import.meta.url)));
const extended = { command: process.execPath, args: [server, 'serve'] };
const gateway = new GatewayProgram({ echo: extended, plain: probeServer('plain', 'legacy') });
const twice = new GatewayProgram({
  one: extended,
  two: extended,
  third: serverOf('third', 'com.example/third', 'third/do'),
});

/** A server with one method of an extension; `args` may have "open" and "fails". */
function serverOf(name: string, id: string, method: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [server, 'serve', name, id, method, ...args] };
}

const skillServer = bundledProgram(fileURLToPath(new URL('../skill-server.ts', import.meta.url)));
const skills = new TemporaryDirectory('extension-skills');
mkdirSync(join(skills.root, 'greet'));
writeFileSync(join(skills.root, 'greet/SKILL.md'), '---\nname: greet\ndescription: Greets.\n---\n');
const x = named('com.example/x', 'x/do');
const y = named('com.example/y', 'y/do');
const open = named('com.example/open', 'open/do', false);
const several = new GatewayProgram({
  skilled: { command: process.execPath, args: [skillServer, join(skills.root, 'greet')] },
  other: serverOf('other', x.id, 'other/do'),
  a: serverOf('a', x.id, 'x/do'),
  second: serverOf('second', x.id, 'x/do'),
  failing: serverOf('failing', x.id, 'x/fail', 'fails'),
  later: serverOf('later', x.id, 'x/fail'),
  b: serverOf('b', y.id, 'y/do'),
  open: serverOf('open', open.id, 'open/do', 'open'),
});
afterAll(async () => {
  await Promise.all([gateway, twice, several].map((each) => each[Symbol.asyncDispose]()));
  skills[Symbol.dispose]();
});

const extensions = { [echo.id]: {} };

describe.each(['2025-06-18', '2026-07-28'])('a client of %s', (revision) => {
  test.each(['stdio', 'http'] as const)(
    'uses an extension that the gateway does not know, over %s',
    async (transport) => {
      const { promise: heard, resolve } = Promise.withResolvers<unknown>();
      const onNotification = (method: string, params: unknown) => {
        if (method === 'notifications/echo/heard') resolve(params);
      };
      const client = await gateway[transport]({ revision, extensions, onNotification });
      expect(extensionSettings(client.capabilities, echo)).toEqual({ loud: true });
      expect(await client.callExtension(echo, 'echo/say', { text: 'Hi' })).toEqual({ text: 'Hi' });
      expect(await heard).toEqual({ text: 'Hi' });
    },
  );

  test('uses the extensions of several servers, beside their skills', async () => {
    const declared = { [skillsExtension.id]: {}, [x.id]: {}, [y.id]: {} };
    const client = await several.http({ revision, extensions: declared });
    expect(await client.callExtension(x, 'x/do', {})).toEqual({ by: 'a' });
    expect(await client.callExtension(y, 'y/do', {})).toEqual({ by: 'b' });
    expect(await client.request('other/do')).toMatchObject({ by: 'other' });
    expect((await listSkills(client)).skills).toHaveLength(1);
    await expect(client.request('x/gone')).rejects.toMatchObject({
      cause: {
        code: -32601,
        message: 'No connected server has an extension with the method "x/gone"',
      },
    });
  });

  test('has a method run by one server only, also if it fails there', async () => {
    const client = await several.http({ revision, extensions: { [x.id]: {} } });
    expect(await client.callExtension(x, 'x/do', {})).toEqual({ by: 'a' });
    await expect(client.request('x/fail')).rejects.toMatchObject({
      cause: { code: -32_602, message: 'failing has failed' },
    });
  });

  test('gets the error of the server for a method of an extension that it does not declare', async () => {
    const client = await several.http({ revision, extensions: { [y.id]: {} } });
    await expect(client.request('x/do')).rejects.toMatchObject({
      cause: {
        code: -32021,
        message: 'The method "x/do" requires that the client declares the extension "com.example/x"',
        data: { requiredCapabilities: { extensions: { [x.id]: {} } } },
      },
    });
    expect(await client.callExtension(open, 'open/do', {})).toEqual({ by: 'open' });
  });

  test('is told of several servers of one program, which all have the method', async () => {
    const client = await twice.http({ revision, extensions });
    await expect(client.callExtension(echo, 'echo/say', { text: 'Hi' })).rejects.toMatchObject({
      cause: {
        code: -32601,
        message:
          'The method "echo/say" is not sent to one and two: they are the same program with the same extension, so that it cannot be told which one is meant; serve one of them alone',
      },
    });
    expect(await client.request('third/do').catch((error: Error) => error.message)).toContain(
      'requires that the client declares the extension "com.example/third"',
    );
  });
});
