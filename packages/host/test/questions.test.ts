import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, quoted, Workspace } from './workspace.ts';

const workspace = new Workspace();
const { env } = workspace;
afterAll(() => workspace[Symbol.dispose]());

describe.skipIf(!hasTerminals)('in a terminal', () => {
  test.each([[[]], [['--revision', '2025-11-25']]])(
    'the form of a server is asked field by field, with %j',
    async (revision) => {
      const terminal = new Terminal(workspace.commandLine('call', 'fix.form', ...revision), { env });
      const shown = await terminal.shows('colour (red | blue): ');
      expect(shown).toContain('fix asks: Which colour?');
      terminal.type('green\r');
      await terminal.shows('"green" is not one of red, blue');
      terminal.type('blue\r');
      await terminal.shows('many (default 2): ');
      terminal.type('\r');
      const [, answer] = /The user says (.+)\r\n/.exec(await terminal.shows(/The user says .+\r\n/))!;
      expect(JSON.parse(answer!)).toEqual({ action: 'accept', content: { colour: 'blue', many: 2 } });
      expect(await terminal.ended()).toBe(0);
    },
  );

  test('a page is named with its address, and Enter says that it was opened', async () => {
    const terminal = new Terminal(workspace.commandLine('call', 'fix.page'), { env });
    await terminal.shows('fix asks: Enter your key\r\nOpen https://example.com/key');
    await terminal.shows('Done (yes | no; default true): ');
    terminal.type('\r');
    await terminal.shows('The user says {"action":"accept"');
    expect(await terminal.ended()).toBe(0);
  });

  test('! declines a form, also in the shell, which continues', async () => {
    const terminal = new Terminal(workspace.commandLine('shell'), { env });
    await terminal.shows('mcp> ');
    terminal.type('call fix.form\r');
    await terminal.shows('colour (red | blue): ');
    terminal.type('!\r');
    await terminal.shows('The user says {"action":"decline"}');
    await terminal.shows('mcp> ');
    terminal.type('call fix.form\r');
    await terminal.shows('colour (red | blue): ');
    terminal.type('\u0003');
    await terminal.shows('Interrupted');
    await terminal.shows('mcp> ');
    terminal.type('call fix.echo text=on\r');
    await terminal.shows(/\non\r/);
    terminal.type('exit\r');
    expect(await terminal.ended()).toBe(0);
  });

  test('a server of a project is started after a yes, and a no is exit code 7', async () => {
    const { root, base } = workspace.directory;
    const project = {
      mcpServers: { evil: { command: process.execPath, args: ['-e', ''], env: { TOKEN: 'secret' } } },
    };
    writeFileSync(join(root, '.mcp.json'), JSON.stringify(project));
    const command = `sh -c ${quoted(`cd ${quoted(root)}; exec ${quoted(process.execPath)} ${quoted(program)} tools evil`)}`;
    const own = { ...env, XDG_STATE_HOME: join(base, 'other-state') };
    const refusing = new Terminal(command, { env: own });
    const shown = await refusing.shows('Start it? [y/N] ');
    expect(shown).toContain('A file of this project names a server:');
    expect(shown).not.toContain('secret');
    refusing.type('\r');
    expect(await refusing.ended()).toBe(7);
    const agreeing = new Terminal(command, { env: own });
    await agreeing.shows('Start it? [y/N] ');
    agreeing.type('y\r');
    await agreeing.shows('evil: no handshake');
    expect(await agreeing.ended()).toBe(4);
  });
});

describe.skipIf(!hasTerminals)('in a terminal, a project', () => {
  const project = (path: string, content: object) => {
    const { base } = workspace.directory;
    const root = join(base, path.replaceAll(/\W/g, '-'));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
    const command = (...args: string[]) =>
      `sh -c ${quoted(`cd ${quoted(root)}; exec ${[process.execPath, program, ...args].map(quoted).join(' ')}`)}`;
    return { command, env: { ...env, XDG_STATE_HOME: join(root, 'state') } };
  };

  test('with several servers has a question for each, one after the other', async () => {
    const entry = { command: process.execPath, args: ['-e', ''] };
    const { command, env: own } = project('.mcp.json', { mcpServers: { one: entry, two: entry } });
    const terminal = new Terminal(command('ping'), { env: own });
    await terminal.shows('Start it? [y/N] ');
    terminal.type('y\r');
    const shown = await terminal.shows('Start it? [y/N] ');
    expect(shown).toContain('server: two');
    terminal.type('n\r');
    await terminal.shows('two  failed      The server "two"');
    expect(await terminal.ended()).toBe(4);
  });

  test('is not started after Ctrl-C', async () => {
    const { command, env: own } = project('.mcp.json', { mcpServers: { one: { command: 'false' } } });
    const terminal = new Terminal(command('ping'), { env: own });
    await terminal.shows('Start it? [y/N] ');
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(130);
    const shell = new Terminal(command('shell'), { env: own });
    await shell.shows('mcp> ');
    shell.type('ping one\r');
    await shell.shows('Start it? [y/N] ');
    shell.type('\u0003');
    await shell.shows(/Interrupted[\s\S]*mcp> /);
    shell.type('exit\r');
    expect(await shell.ended()).toBe(0);
  });

  test('is started by no Tab in the shell, which asks nothing', async () => {
    const { command, env: own } = project('.mcp.json', {
      mcpServers: { one: smallServer(workspace.directory, { TOOLS: 'first second' }) },
    });
    // Consent is given in another state directory, and the lists stay in the cache of both.
    expect(await new Terminal(command('--yes', 'tools', 'one'), { env }).ended()).toBe(0);
    const shell = new Terminal(command('shell'), { env: own });
    await shell.shows('mcp> ');
    shell.type('call one.f\t');
    await shell.shows('call one.first ');
    shell.type('\r');
    await shell.shows('Start it? [y/N] ');
    shell.type('y\r');
    await shell.shows(/\n\d+\r[^]*mcp> /);
    shell.type('call one.s\t');
    await shell.shows('call one.second ');
    shell.type('\r');
    await shell.shows(/\n\d+\r/);
    shell.type('exit\r');
    expect(await shell.ended()).toBe(0);
  });

  test('has its inputs asked once, and a password is not shown', async () => {
    const env = { KEY: '${input:key}', MODE: '${input:mode}' };
    const { command, env: own } = project('.vscode/mcp.json', {
      inputs: [
        { type: 'promptString', id: 'key', description: 'Key of the service', password: true },
        { type: 'pickString', id: 'mode', description: 'Mode', options: ['a', 'b'], default: 'a' },
      ],
      servers: {
        one: {
          command: process.execPath,
          args: ['-e', 'const { KEY, MODE } = process.env; console.error(KEY.length + MODE, KEY)'],
          env,
        },
      },
    });
    const terminal = new Terminal(command('ping', 'one', '--yes'), { env: own });
    await terminal.shows('MCP_INPUT_KEY has no value.\r\nKey of the service: ');
    terminal.type('hidden\r');
    const shown = await terminal.shows('Mode (a | b; default a): ');
    expect(shown).not.toContain('hidden');
    terminal.type('\r');
    await terminal.shows('one: 6a ••••');
    expect(await terminal.ended()).toBe(4);
    const wrong = new Terminal(command('ping', 'one', '--yes'), { env: { ...own, MCP_INPUT_KEY: 'k' } });
    await wrong.shows('Mode (a | b; default a): ');
    wrong.type('c\r');
    await wrong.shows('Invalid value of the input "mode"; expected a, b');
    expect(await wrong.ended()).toBe(1);
    const interrupted = new Terminal(command('ping', 'one', '--yes'), { env: own });
    await interrupted.shows('Key of the service: ');
    interrupted.type('\u0003');
    expect(await interrupted.ended()).toBe(130);
  });
});

test('without a terminal no form is offered, and the hint says where it is', async () => {
  const { stderr, code } = await workspace.mcp(['call', 'fix.form']);
  expect(stderr).toContain('run the command in a terminal to answer the questions of the server');
  expect(code).toBe(5);
});
