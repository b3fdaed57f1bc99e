import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Call, defineServer, defineTool, extensionSettings, supportsExtension } from '@mcp/protocol';
import { Client, revisions, serverAt } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { connect } from '@mcp/protocol/testing';
import { cacheResults } from '@mcp/protocol/wrap';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  defineView,
  serveViews,
  type ViewDefinition,
  viewMimeType,
  viewsCapability,
  viewsExtension,
  visibleTo,
} from '../src/index.ts';
import { clock, dial, html } from './clock.ts';
import { StdioServer } from './stdio-server.ts';

const carrying = revisions.filter((revision) => revision >= '2025-06-18');

const settings = {
  csp: { connectDomains: ['https://time.example'], resourceDomains: ['https://*.time.example:8443'] },
  permissions: { clipboardWrite: {} },
  domain: 'clock.hosts.example',
  prefersBorder: true,
};

test('every revision with `_meta` in tools carries views', () => {
  expect(viewsExtension.revisions).toEqual(carrying);
});

describe.each(carrying)('at %s', (revision) => {
  test('a client that shows views gets tools with their views, and reads the page', async () => {
    await using client = await connect(clock(), { revision, extensions: viewsCapability });
    expect(extensionSettings(client.capabilities, viewsExtension)).toEqual({});
    const uris = (await client.listTools()).map(({ name, _meta }) => [name, _meta]);
    expect(uris).toEqual([
      ['time', { ui: { resourceUri: 'ui://clock/dial' } }],
      ['wind', { ui: { resourceUri: 'ui://clock/dial', visibility: ['app'] } }],
      ['alarm', { ui: { visibility: ['model'] } }],
      ['plain', undefined],
    ]);
    expect(await client.listResources()).toEqual([
      {
        uri: 'ui://clock/dial',
        name: 'clock/dial',
        title: 'Dial',
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: settings },
      },
    ]);
    const { contents } = await client.readResource('ui://clock/dial');
    expect(contents).toEqual([
      { uri: 'ui://clock/dial', mimeType: 'text/html;profile=mcp-app', text: html, _meta: { ui: settings } },
    ]);
    expect(await client.callTool('wind')).toMatchObject({ content: [{ text: 'wound' }] });
  });
});

const others = {
  'does not declare the extension': {},
  'declares it without a type': { [viewsExtension.id]: {} },
  'shows another type only': { [viewsExtension.id]: { mimeTypes: ['text/uri-list'] } },
  'declares a type that is no list': { [viewsExtension.id]: { mimeTypes: viewMimeType } },
};

describe.each([
  ...carrying.flatMap((revision) => Object.keys(others).map((name) => [revision, name] as const)),
  ...revisions.filter((each) => !carrying.includes(each)).map((each) => [each, 'declares it'] as const),
])('at %s, a client that %s', (revision, name) => {
  const extensions = others[name as keyof typeof others] ?? viewsCapability;

  test('gets nothing of a view', async () => {
    await using client = await connect(clock(), { revision, extensions });
    expect(client.capabilities['extensions']).toBeUndefined();
    const tools = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['time', 'alarm', 'plain']);
    expect(JSON.stringify(tools)).not.toContain('ui');
    expect(await client.listResources()).toEqual([]);
    expect(await client.listResourceTemplates()).toEqual([]);
    await expect(client.readResource('ui://clock/dial')).rejects.toMatchObject({
      cause: { code: revision === '2026-07-28' ? -32602 : -32002 },
    });
    await expect(client.callTool('wind')).rejects.toThrow('Unknown tool: "wind"');
    expect(await client.callTool('time')).toMatchObject({ content: [{ text: 'noon' }] });
  });
});

describe.each(revisions)('over stdio at %s', (revision) => {
  const ask = async (program: 'with' | 'without', extensions: object) => {
    await using server = await StdioServer.start(program, revision, { extensions });
    const tools = await server.ask('tools/list');
    const resources = program === 'with' ? await server.ask('resources/list') : '';
    return { tools, resources };
  };

  test('without views, the bytes of a list are those of a server that has none', async () => {
    const { tools, resources } = await ask('with', {});
    const bare = await ask('without', {});
    // The result says that it is for this client alone, because other clients get another one.
    expect(tools.replace('"private"', '"public"')).toBe(bare.tools);
    expect(resources).not.toContain('ui://');
  });

  test('with views, they differ by `_meta.ui` and the tool for views', async () => {
    const { tools, resources } = await ask('with', viewsCapability);
    const isCarried = carrying.includes(revision);
    expect(tools.includes('"_meta":{"ui":{"resourceUri":"ui://clock/dial"}}')).toBe(isCarried);
    expect(tools.includes('"visibility":["app"]')).toBe(isCarried);
    expect(resources.includes('"mimeType":"text/html;profile=mcp-app"')).toBe(isCarried);
  });
});

test('over HTTP, each client of one server gets its own list', async () => {
  const listener = await serveHttp(clock(), { port: 0 });
  try {
    for (const revision of carrying) {
      await using plain = await Client.connect(serverAt(listener.url), { revision });
      await using showing = await Client.connect(serverAt(listener.url), {
        revision,
        extensions: viewsCapability,
      });
      expect(await plain.listTools()).toHaveLength(3);
      expect(await showing.listTools()).toHaveLength(4);
      expect(await plain.listResources()).toHaveLength(0);
      expect(await showing.listResources()).toHaveLength(1);
    }
  } finally {
    await listener.close();
  }
});

test('a cache of results keeps views from clients without them', async () => {
  const shown = (_: object, call: Call) => `shown: ${supportsExtension(call, viewsExtension)}`;
  const server = defineServer({
    name: 'clock',
    version: '1.0.0',
    tools: [defineTool({ name: 'time', description: 'Says the time.', view: dial, run: shown })],
    extensions: [serveViews([dial])],
    wrap: [cacheResults({ names: ['time', dial.uri], ms: 60_000 })],
  });
  await using showing = await connect(server, { extensions: viewsCapability });
  expect(await showing.callTool('time')).toMatchObject({ content: [{ text: 'shown: true' }] });
  expect((await showing.readResource(dial.uri)).contents).toMatchObject([{ text: html }]);
  await using plain = await connect(server);
  expect(await plain.callTool('time')).toMatchObject({ content: [{ text: 'shown: false' }] });
  await expect(plain.readResource(dial.uri)).rejects.toThrow('No such resource');
});

describe('a page in a file', () => {
  const serve = async (file: string) => {
    const view = defineView({
      uri: 'ui://a',
      html: pathToFileURL(file),
      cache: { ttlMs: 5, scope: 'public' },
    });
    const server = defineServer({ name: 'a', version: '1', extensions: [serveViews([view])] });
    return connect(server, { extensions: viewsCapability });
  };

  const directory = async () => {
    const made = await mkdtemp(join(tmpdir(), 'views-'));
    onTestFinished(() => rm(made, { recursive: true }));
    return made;
  };

  test('is read each time', async () => {
    const file = join(await directory(), 'a.html');
    await using client = await serve(file);
    for (const text of ['<!DOCTYPE html><p>ä', '<!-- license -->\n<!--><!doctype html >2']) {
      await writeFile(file, `\uFEFF${text}`);
      const { contents, ttlMs, cacheScope } = await client.readResource('ui://a');
      expect(contents).toEqual([{ uri: 'ui://a', mimeType: viewMimeType, text }]);
      expect({ ttlMs, cacheScope }).toEqual({ ttlMs: 5, cacheScope: 'public' });
    }
  });

  test('that is missing or no document: an error that names no path', async () => {
    const file = join(await directory(), 'a.html');
    await using client = await serve(file);
    const read = () => client.readResource('ui://a');
    await expect(read()).rejects.toThrow('The file of the view "ui://a" cannot be read (ENOENT)');
    await writeFile(file, '<p>no doctype');
    await expect(read()).rejects.toThrow('The view "ui://a" is not an HTML document');
    await writeFile(file, Buffer.from('<!doctype html><p>größer', 'latin1'));
    await expect(read()).rejects.toThrow('The file of the view "ui://a" is not in UTF-8');
  });
});

test.each<[string, Partial<ViewDefinition>, string]>([
  ['another scheme', { uri: 'https://a' }, 'Invalid URI of a view: "https://a"'],
  ['a template', { uri: 'ui://{a}' }, 'Invalid URI of a view'],
  ['a space', { uri: 'ui://a b' }, 'Invalid URI of a view'],
  ['no host', { uri: 'ui://' }, 'Invalid URI of a view'],
  ['a control character', { uri: 'ui://a/\u0001' }, 'Invalid URI of a view'],
  ['a lone surrogate', { uri: 'ui://a/\ud800' }, 'Invalid URI of a view'],
  ['a text that is no document', { html: '<p>' }, 'must begin with "<!doctype html>"'],
  ['a comment without an end', { html: '<!-- <!doctype html>' }, 'must begin with "<!doctype html>"'],
  ['many comments', { html: `${'<!---->'.repeat(99)}<p>` }, 'must begin with "<!doctype html>"'],
  ['a document of the web', { html: new URL('https://a') }, '`file:` URL'],
  ['a policy in an origin', { csp: { frameDomains: ["https://a; script-src 'x'"] } }, '`csp.frameDomains`'],
  ['an origin with a path', { csp: { connectDomains: ['https://a/b'] } }, '`csp.connectDomains`'],
  ['an origin with quotes', { csp: { baseUriDomains: ["'self'"] } }, '`csp.baseUriDomains`'],
  ['any origin', { csp: { resourceDomains: ['*'] } }, '`csp.resourceDomains`'],
  ['an unknown list of origins', { csp: { imageDomains: [] } as never }, '`csp.imageDomains`'],
  [
    'a text as a list',
    { csp: { frameDomains: 'https://a' as never } },
    '`csp.frameDomains` of the view "ui://a"',
  ],
  ['the form of the wire', { permissions: { camera: {} } as never }, '`permissions` of the view "ui://a"'],
  [
    'an unknown permission',
    { permissions: ['usb' as never] },
    'Unknown permission of the view "ui://a": "usb"',
  ],
])('%s is refused', (_, definition, message) => {
  expect(() => defineView({ uri: 'ui://a', html, ...definition })).toThrow(message);
});

test('two views with one URI are refused', () => {
  expect(() => serveViews([dial, dial])).toThrow('Two views have the URI "ui://clock/dial"');
});

test('a visibility that is none is refused', () => {
  expect(() => visibleTo([])).toThrow('Invalid visibility: []; expected "model", "app", or both');
  expect(() => visibleTo(['user' as never])).toThrow('Invalid visibility: ["user"]');
  expect(() => visibleTo('app' as never)).toThrow('Invalid visibility: "app"');
});

test('a tool whose view is not served is refused', () => {
  const tool = defineTool({ name: 'time', description: 'Says the time.', view: dial, run: () => '' });
  const parts = { name: 'a', version: '1', tools: [tool] };
  expect(() => defineServer(parts)).toThrow(
    'The tool "time" has a view: the server must serve the extension',
  );
  expect(() => defineServer({ ...parts, extensions: [serveViews([])] })).toThrow(
    'The tool "time" has the view "ui://clock/dial", which `serveViews([…])` must have too',
  );
});
