import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasTerminals, Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

function workspace() {
  const own = new Workspace();
  onTestFinished(() => own[Symbol.dispose]());
  return own;
}

describe.skipIf(!hasTerminals)('mcp again', () => {
  test('repeats the call that was typed in a terminal, with changed arguments and further options', async () => {
    const own = workspace();
    const typed = new Terminal(own.commandLine('call', 'fix.echo', 'text=one', 'suffix=!'), { env: own.env });
    await typed.shows('one!');
    expect(await typed.ended()).toBe(0);
    const plain = await own.mcp(['again']);
    expect(plain).toMatchObject({ code: 0, stdout: 'one!\n' });
    expect(plain.stderr).toBe(
      `mcp --config ${own.configuration} call fix.echo text=one 'suffix=!' --config ${own.configuration}\n`,
    );
    const changed = await own.mcp(['again', 'text=two words', 'suffix=?', '--max-chars', '3']);
    expect(changed).toMatchObject({ code: 0, stdout: 'two\n' });
    // A call of a script is not kept.
    await own.mcp(['call', 'fix.echo', 'text=three']);
    expect((await own.mcp(['again'])).stdout).toBe('one!\n');
    const calls = join(own.env.XDG_STATE_HOME, 'mcp/calls');
    const [file = ''] = readdirSync(calls);
    expect(readFileSync(join(calls, file), 'utf8')).toContain('"text=one"');
    expect(statSync(join(calls, file)).mode & 0o777).toBe(0o600);
    expect(await own.mcp(['again'], { cwd: own.directory.outside })).toMatchObject({ code: 1 });
  });

  test('prints JSON where the call did, also its error', async () => {
    const own = workspace();
    const typed = new Terminal(own.commandLine('call', 'fix.echo', '--json', 'text=one'), { env: own.env });
    expect(await typed.ended()).toBe(0);
    const { stdout, stderr } = await own.mcp(['again', 'text=two']);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: 'two' }] });
    expect(stderr).toBe('');
    const picked = await own.mcp(['again', '--pick', 'again']);
    expect(JSON.parse(picked.stderr)).toHaveProperty('error.message', expect.stringContaining('--pick'));
    expect(JSON.parse((await own.mcp(['again', '--pick', 'a['])).stderr)).toHaveProperty('error.message');
  });

  test('shows no secret', async () => {
    const own = workspace();
    const typed = new Terminal(
      own.commandLine(
        'call',
        'fix.echo',
        'text=one',
        '--env',
        'API_KEY=abc123',
        '--args',
        '{"password": "abc123"}',
        '--',
        'no-such-program',
      ),
      { env: own.env },
    );
    expect(await typed.ended()).toBe(4);
    const { stderr } = await own.mcp(['again']);
    expect(stderr).toContain('API_KEY=');
    expect(stderr).not.toContain('abc123');
  });
});

test('without a call to repeat, mcp again says so', async () => {
  const { stderr, code } = await workspace().mcp(['again']);
  expect(stderr).toContain('There is no call to repeat: none was typed in a terminal in this directory');
  expect(code).toBe(1);
});
