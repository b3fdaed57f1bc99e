import { EventEmitter, once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOptions } from '@mcp/protocol/client';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfiguration } from '../src/config/load-configuration.ts';
import { followConfiguration } from '../src/servers/follow-configuration.ts';
import { hostState } from '../src/servers/host-state.ts';
import { Servers, type ServersOptions } from '../src/servers/servers.ts';
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
    const state = hostState(warn, { state: join(directory.base, 'state'), cache });
    const servers = new Servers(configured, state, {
      onWarning: warn,
      onToolsWithheld: () => {},
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
  const { client } = await servers.lease('removed');
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
  await expect(servers.lease('removed')).rejects.toThrow('There is no server "removed"');
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

test('a changed filter applies immediately and does not restart the server', async () => {
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
  const error = await servers.lease('one').catch((reason: unknown) => reason);
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
    onChange: (changes) => events.emit('changed', changes),
    onWarning: (message) => {
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
      onToolsWithheld: (_, changes) => withheld.push(...changes.map(({ name }) => name)),
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
  const closed = 'The server "s" cannot be used: the servers were closed';
  await expect(ended.use('s', (client) => client.listTools())).rejects.toThrow(closed);
  await expect(ended.tools('s')).rejects.toThrow(closed);
  await expect(ended.lease('s', { client: {} })).rejects.toThrow(closed);
  const use = expect(starting.tools('s')).rejects.toThrow();
  await starting[Symbol.asyncDispose]();
  await use;
  await expect(starting.tools('s')).rejects.toThrow(closed);
});

test('callers with clients of their own share a connection that can be shared; one that leaves fails no other', async () => {
  const { open } = host((parent) => ({ s: smallServer(parent) }));
  const servers = await open();
  const leaving = new AbortController();
  const shared = { client: { name: 'guest' }, canShare: () => true };
  const first = servers.lease('s', { ...shared, signal: leaving.signal });
  const others = [servers.lease('s', shared), servers.lease('s', shared)];
  leaving.abort(new Error('The caller has left'));
  await expect(first).rejects.toThrow('The caller has left');
  const [one, two] = await Promise.all(others);
  expect(one).toBe(two);
  await one?.release();
  expect(await one?.client.listTools()).toMatchObject([{ name: 'pid' }]);
  const own = await servers.lease('s', { client: { name: 'guest' } });
  expect(own).not.toBe(one);
  await own.release();
  await expect(own.client.listTools()).rejects.toThrow('closed');
});

test('a server that is started while a changed configuration is adopted has that one, and so have all its callers', async () => {
  const { directory, configure, open } = host((at) => ({ one: smallServer(at) }));
  const servers = await open();
  const pid = await pidOf(servers, 'one');
  const configuration = await configure({ one: smallServer(directory, { OTHER: '1' }) });
  const reloading = servers.reload(configuration);
  const guest = servers.lease('one', { client: { name: 'guest' } });
  expect((await reloading).restarted).toEqual(['one']);
  expect(await (await guest).client.request('environment')).toMatchObject({ environment: { OTHER: '1' } });
  expect(await pidOf(servers, 'one')).not.toBe(pid);
});

test('a start that a changed configuration ends continues with that configuration', async () => {
  const { directory, configure, open } = host((at) => ({ one: smallServer(at, { HANG: 'handshake' }) }));
  const servers = await open();
  const pid = pidOf(servers, 'one');
  await servers.reload(await configure({ one: smallServer(directory) }));
  expect(await pid).toBeGreaterThan(0);
});

test('a removed server ends while the entry of another one waits for a value', async () => {
  const { directory, configure, open } = host((at) => ({ kept: smallServer(at), removed: smallServer(at) }));
  const servers = await open();
  await pidOf(servers, 'kept');
  const { client } = await servers.lease('removed');
  const ended = new Promise<void>((resolve) => {
    void client.request('never', {}).catch(() => resolve());
  });
  const { servers: configured, problems } = await configure({ kept: smallServer(directory) });
  const value = Promise.withResolvers<void>();
  const waiting = configured.map((server) => {
    return { ...server, resolve: () => value.promise.then(() => server.resolve()) };
  });
  const reloading = servers.reload({ servers: waiting, problems });
  await expect(servers.lease('removed')).rejects.toThrow('There is no server "removed"');
  await ended;
  value.resolve();
  expect(await reloading).toMatchObject({ removed: ['removed'], restarted: [] });
});

test('callers that wait for a start which its caller leaves share the next one', async () => {
  const { directory, configure, open } = host(() => ({}));
  const servers = await open();
  const { servers: configured, problems } = await configure({ s: smallServer(directory) });
  let starts = 0;
  const counted = configured.map((server) => {
    return { ...server, resolve: () => (starts++, server.resolve()) };
  });
  await servers.reload({ servers: counted, problems });
  const leaving = new AbortController();
  const first = servers.lease('s', { signal: leaving.signal });
  const others = [1, 2, 3].map(() => servers.lease('s'));
  leaving.abort(new Error('The caller has left'));
  await expect(first).rejects.toThrow('The caller has left');
  expect(new Set(await Promise.all(others)).size).toBe(1);
  expect(starts).toBe(2);
});

test('callers with clients of their own that start a server together ask the user once', async () => {
  const { directory, configure, open } = host(() => ({}));
  let answer = false;
  let questions = 0;
  const askConsent = async () => (questions++, await new Promise((resolve) => setImmediate(resolve)), answer);
  const servers = await open({ askConsent });
  const { servers: configured, problems } = await configure({ s: smallServer(directory) });
  const ofProject = configured.map((server) => {
    return { ...server, resolve: async () => ({ ...(await server.resolve()), scope: 'project' as const }) };
  });
  await servers.reload({ servers: ofProject, problems });
  const start = () => Promise.allSettled([1, 2].map(() => servers.lease('s', { client: { name: 'guest' } })));
  expect((await start()).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(questions).toBe(1);
  answer = true;
  expect((await start()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(questions).toBe(2);
});
