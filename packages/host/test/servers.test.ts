import { EventEmitter, once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOptions } from '@mcp/protocol/client';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfiguration } from '../src/config/load.ts';
import { followConfiguration } from '../src/servers/follow-configuration.ts';
import { ListCache } from '../src/servers/list-cache.ts';
import { Servers, type ServersOptions } from '../src/servers/servers.ts';
import { TrustStore } from '../src/trust/trust-store.ts';
import { smallServer } from './small-server.ts';

type Entry = Readonly<Record<string, unknown>>;

/** A configuration file that can be replaced, and the servers of a host that reads it. */
function host(entries: (directory: TemporaryDirectory) => Readonly<Record<string, Entry>>) {
  const directory = new TemporaryDirectory('host-servers');
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const configure = (servers: Readonly<Record<string, Entry>> | string) => {
    const text = typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers });
    return loadConfiguration({ files: [directory.put('mcp_config.json', text)], env: {} });
  };
  const cache = join(directory.base, 'cache');
  const open = async (options: Partial<ServersOptions> = {}) => {
    const { servers: configured } = await configure(entries(directory));
    const servers = new Servers(configured, {
      trust: new TrustStore(join(directory.base, 'trust'), warn),
      listCache: new ListCache(cache, warn),
      authorize: undefined,
      askInput: () => undefined,
      askConsent: () => Promise.resolve(false),
      stderr: () => {},
      toolsWithheld: () => {},
      clientOptions: () => ({}),
      ...options,
    });
    onTestFinished(() => servers[Symbol.asyncDispose]());
    return servers;
  };
  onTestFinished(() => directory[Symbol.dispose]());
  return { directory, configure, open, warnings };
}

async function pidOf(servers: Servers, name: string): Promise<number> {
  const { content } = await servers.use(name, (client) => client.callTool('pid'));
  return Number((content[0] as { text: string }).text);
}

test('a changed configuration restarts the changed server and leaves the others connected', async () => {
  const { directory, configure, open } = host((at) => ({
    same: smallServer(at),
    changed: smallServer(at),
    removed: smallServer(at),
  }));
  const servers = await open();
  const [same, changed] = await Promise.all(['same', 'changed'].map((name) => pidOf(servers, name)));
  const { client } = await servers.open('removed');
  const ended = new Promise<void>((resolve) => {
    void client.request('never', {}).catch(() => resolve());
  });
  const changes = await servers.reload(
    await configure({
      same: smallServer(directory),
      changed: smallServer(directory, { OTHER: '1' }),
      added: smallServer(directory),
    }),
  );
  expect(changes).toEqual({ added: ['added'], removed: ['removed'], restarted: ['changed'], adjusted: [] });
  await ended;
  expect(servers.names).toEqual(['same', 'changed', 'added']);
  expect(await pidOf(servers, 'same')).toBe(same);
  expect(await pidOf(servers, 'changed')).not.toBe(changed);
  expect(await pidOf(servers, 'added')).toBeGreaterThan(0);
  await expect(servers.open('removed')).rejects.toThrow('There is no server "removed"');
});

test('a configuration file that is half written keeps its servers running', async () => {
  const { configure, open } = host((at) => ({ one: smallServer(at) }));
  const servers = await open();
  const pid = await pidOf(servers, 'one');
  const half = await configure('{"mcpServers": {"one": {"comm');
  expect(half.problems[0]?.error.message).toMatch(
    /mcp_config\.json", line 1, column \d+ \(offset \d+\): JSON: /,
  );
  expect(await servers.reload(half)).toEqual({ added: [], removed: [], restarted: [], adjusted: [] });
  expect(await pidOf(servers, 'one')).toBe(pid);
});

test('a server gets the environment of its own entry, and neither that of another nor that of the host', async () => {
  process.env['HOST_TEST_SECRET'] = 'secret';
  onTestFinished(() => void delete process.env['HOST_TEST_SECRET']);
  const { open } = host((at) => ({ one: smallServer(at, { ONE: '1' }), two: smallServer(at, { TWO: '2' }) }));
  const servers = await open();
  const environment = async (name: string) =>
    (await servers.use(name, (client) => client.request('environment')))['environment'];
  const [one, two] = await Promise.all([environment('one'), environment('two')]);
  expect(one).toMatchObject({ ONE: '1', PATH: process.env['PATH'] });
  expect(two).toMatchObject({ TWO: '2' });
  expect(Object.keys(one as object)).not.toContain('TWO');
  expect(Object.keys(one as object)).not.toContain('HOST_TEST_SECRET');
});

test('a changed filter holds at once and does not restart the server', async () => {
  const { directory, configure, open } = host((at) => ({ one: smallServer(at, { TOOLS: 'pid other' }) }));
  const servers = await open();
  const pid = await pidOf(servers, 'one');
  const entry = { ...smallServer(directory, { TOOLS: 'pid other' }), disabledTools: ['other'] };
  const changes = await servers.reload(await configure({ one: entry }));
  expect(changes.restarted).toEqual([]);
  expect(changes.adjusted).toEqual(['one']);
  expect(await servers.tools('one')).toMatchObject([{ name: 'pid' }]);
  expect(await pidOf(servers, 'one')).toBe(pid);
});

/** A host whose only server has been listed once; since then its program hangs, by the same entry. */
async function withHangingServer() {
  const hosted = host((at) => ({ one: smallServer(at) }));
  const { directory, open } = hosted;
  await using first = await open();
  await first.list('one', 'tools');
  const hangs = () => directory.put('small-server.cjs', `setInterval(() => {}, 1000)`);
  return { ...hosted, hangs };
}

test('a server that hangs has its cached list after the limit, with its time', async () => {
  const before = Date.now();
  const { open, hangs } = await withHangingServer();
  const servers = await open();
  hangs();
  const { items, cachedAt = 0 } = await servers.list('one', 'tools', { cachedAfterMs: 20 });
  expect(items).toMatchObject([{ name: 'pid' }]);
  expect(cachedAt).toBeGreaterThanOrEqual(before);
  // The start that is under way ends with the host, long before the default timeouts.
  await servers[Symbol.asyncDispose]();
});

test('a cached list is read without starting the server, and a server without one rejects', async () => {
  const { directory, open } = await withHangingServer();
  const servers = await open();
  directory.put('small-server.cjs', `require('node:fs').writeFileSync(__dirname + '/started', '')`);
  expect(await servers.list('one', 'tools', { cachedAfterMs: 0 })).toMatchObject({
    items: [{ name: 'pid' }],
  });
  await expect(servers.list('one', 'prompts', { cachedAfterMs: 0 })).rejects.toThrow(
    'There is no cached list of the server "one"',
  );
  expect(readdirSync(directory.root)).not.toContain('started');
});

test('a cached list belongs to one entry: another environment has none', async () => {
  const { directory, configure, open } = await withHangingServer();
  const servers = await open();
  await servers.reload(await configure({ one: smallServer(directory, { TOKEN: 'other' }) }));
  await expect(servers.list('one', 'tools', { cachedAfterMs: 0 })).rejects.toThrow('no cached list');
});

test('the cached lists of a server are forgotten with its login', async () => {
  const { open } = await withHangingServer();
  const servers = await open();
  servers.forgetLists(await servers.resolve('one'));
  await expect(servers.list('one', 'tools', { cachedAfterMs: 0 })).rejects.toThrow('no cached list');
});

test('a server that does not answer in its start timeout is ended, with its last line of stderr in the error', async () => {
  const script = 'echo loading >&2; exec sleep 60';
  const { open } = host(() => ({ one: { command: 'sh', args: ['-c', script], startup_timeout_ms: 500 } }));
  const servers = await open();
  const error = await servers.open('one').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    message: 'one: no answer to the handshake within 0.5 s; its last line on stderr was: loading',
    phase: 'handshake',
    exitCode: 6,
  });
});

test('cached tools are shown as they were accepted, and through the filter', async () => {
  const { directory, configure, open } = host((at) => ({ one: smallServer(at, { TOOLS: 'a b' }) }));
  const servers = await open();
  await servers.list('one', 'tools');
  const entry = { ...smallServer(directory, { TOOLS: 'a b' }), disabledTools: ['a'] };
  await servers.reload(await configure({ one: entry }));
  expect(await servers.list('one', 'tools', { cachedAfterMs: 0 })).toMatchObject({ items: [{ name: 'b' }] });
});

test('a change of a configuration file reloads its servers, also while it is half written', async () => {
  const { directory, configure, open, warnings } = host((at) => ({ one: smallServer(at) }));
  const servers = await open();
  const pid = await pidOf(servers, 'one');
  const events = new EventEmitter();
  const stop = await followConfiguration(servers, {
    load: { files: [join(directory.root, 'mcp_config.json')], env: {} },
    changed: (changes) => events.emit('changed', changes),
    warn: (message) => {
      warnings.push(message);
      events.emit('warned');
    },
  });
  onTestFinished(stop);
  const warned = once(events, 'warned');
  await configure('{"mcpServers": {');
  await warned;
  expect(warnings).toEqual([
    expect.stringMatching(/mcp_config\.json", line 1, column \d+ \(offset \d+\): JSON: /),
  ]);
  const changed = once(events, 'changed');
  await configure({ one: smallServer(directory), two: smallServer(directory) });
  expect(await changed).toEqual([{ added: ['two'], removed: [], restarted: [], adjusted: [] }]);
  expect(await pidOf(servers, 'one')).toBe(pid);
});

test('tools that a server lists only to clients with a further capability are shown at their first sight', async () => {
  const withheld: string[] = [];
  const { open } = host((at) => ({ one: smallServer(at, { ASKING_TOOLS: 'ask' }) }));
  const namesOf = async (clientOptions: ClientOptions) => {
    const servers = await open({
      clientOptions: () => clientOptions,
      toolsWithheld: (_, changes) => withheld.push(...changes.map(({ name }) => name)),
    });
    const names = (await servers.tools('one')).map(({ name }) => name);
    const cached = (await servers.list('one', 'tools', { cachedAfterMs: 0 })).items.map(({ name }) => name);
    await servers[Symbol.asyncDispose]();
    expect(cached).toEqual(names);
    return names;
  };
  const elicit = () => Promise.resolve({ action: 'decline' } as const);
  expect(await namesOf({})).toEqual(['pid']);
  expect(await namesOf({ elicit })).toEqual(['pid', 'ask']);
  expect(await namesOf({})).toEqual(['pid']);
  expect(withheld).toEqual([]);
});

test('a tool that was withheld from one client is withheld from all until the user accepts it', async () => {
  let tools = 'pid';
  const { open } = host((at) => ({ one: { ...smallServer(at), env: { TOOLS: tools } } }));
  const namesOf = async (clientOptions: ClientOptions, accept = false) => {
    const servers = await open({ clientOptions: () => clientOptions });
    if (accept) (await servers.reviewTools('one')).accept();
    const names = (await servers.tools('one')).map(({ name }) => name);
    await servers[Symbol.asyncDispose]();
    return names;
  };
  const asking = { elicit: () => Promise.resolve({ action: 'decline' } as const) };
  expect(await namesOf({})).toEqual(['pid']);
  tools = 'pid later';
  expect(await namesOf({})).toEqual(['pid']);
  // The first list for these capabilities accepts each tool that no other client was refused.
  expect(await namesOf(asking)).toEqual(['pid']);
  expect(await namesOf({})).toEqual(['pid']);
  expect(await namesOf({}, true)).toEqual(['pid', 'later']);
  expect(await namesOf(asking)).toEqual(['pid', 'later']);
});

test('after its end a host starts no server, and what was starting is ended', async () => {
  const { open, directory } = host((parent) => ({ s: smallServer(parent) }));
  const reached = join(directory.base, 'reached');
  const hanging = host((parent) => ({ s: smallServer(parent, { HANG: 'handshake', REACHED: reached }) }));
  const [ended, starting] = [await open(), await hanging.open()];
  await ended[Symbol.asyncDispose]();
  const closed = 'The servers are closed';
  await expect(ended.use('s', (client) => client.listTools())).rejects.toThrow(closed);
  await expect(ended.tools('s')).rejects.toThrow(closed);
  await expect(ended.connect('s', {}, new AbortController().signal)).rejects.toThrow(closed);
  const use = expect(starting.tools('s')).rejects.toThrow();
  await starting[Symbol.asyncDispose]();
  await use;
  await expect(starting.tools('s')).rejects.toThrow(closed);
});
