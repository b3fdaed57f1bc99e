import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { connect } from '@mcp/protocol/testing';
import { serveHttp } from '@mcp/protocol/http';
import { viewMimeType, viewsCapability, viewsExtension } from '@mcp/views';
import { describe, expect, inject, test } from 'vitest';
import type * as Official from './official/apps.ts';
// By their paths, because they are no part of the package.
import { clock } from '../packages/views/test/clock.ts';
import { connectView, type Host } from '../packages/views/src/browser.ts';
import { TestWindow } from '../packages/views/test/test-window.ts';

// The shapes of views beside the schema and the functions of the official package.

const { appsSchema, ClientV2, getToolUiResourceUri, getUiCapability, HttpV2, isToolVisibilityAppOnly } =
  inject('official') ? await import('./official/apps.ts') : ({} as typeof Official);

/** Checks a value with a definition of the official schema. */
function conform(value: unknown, definition: string): void {
  const { $defs } = appsSchema as { readonly $defs: object };
  expect($defs).toHaveProperty(definition);
  const schema = checkedJsonSchema({ type: 'object', $ref: `#/$defs/${definition}`, $defs } as never);
  const checked = schema['~standard'].validate(value);
  expect(checked).not.toHaveProperty('issues');
}

describe.skipIf(!inject('official'))('of the official package', () => {
  test('the schema refuses what is wrong', () => {
    expect(() => conform({ visibility: ['user'] }, 'McpUiToolMeta')).toThrow();
    expect(() => conform({ csp: { connectDomains: 'x' } }, 'McpUiResourceMeta')).toThrow();
  });

  test('the schema has what a server and a client declare', async () => {
    conform(viewsCapability[viewsExtension.id], 'McpUiClientCapabilities');
    expect(getUiCapability({ extensions: viewsCapability } as never)?.mimeTypes).toEqual([viewMimeType]);
    await using client = await connect(clock(), { extensions: viewsCapability });
    const tools = await client.listTools();
    const metas = tools.flatMap(({ _meta }) => _meta?.['ui'] ?? []);
    expect(metas).toHaveLength(3);
    for (const meta of metas) conform(meta, 'McpUiToolMeta');
    expect(tools.map((tool) => getToolUiResourceUri(tool as never))).toEqual([
      'ui://clock/dial',
      'ui://clock/dial',
      undefined,
      undefined,
    ]);
    expect(tools.map((tool) => isToolVisibilityAppOnly(tool as never))).toEqual([false, true, false, false]);
    for (const { _meta } of await client.listResources()) conform(_meta?.['ui'], 'McpUiResourceMeta');
    const { contents } = await client.readResource('ui://clock/dial');
    for (const { _meta } of contents) conform(_meta?.['ui'], 'McpUiResourceMeta');
    expect(contents).toHaveLength(1);
  });

  test('the client finds and reads a view, and without the extension it finds none', async () => {
    const listener = await serveHttp(clock(), { port: 0 });
    try {
      for (const extensions of [viewsCapability, {}]) {
        const client = new ClientV2(
          { name: 'test', version: '1.0.0' },
          { capabilities: { extensions } as never },
        );
        await client.connect(new HttpV2(new URL(listener.url)) as never);
        const { tools } = await client.listTools();
        const [time] = tools;
        const uri = getToolUiResourceUri(time!);
        expect(tools).toHaveLength(extensions === viewsCapability ? 4 : 3);
        expect(uri).toBe(extensions === viewsCapability ? 'ui://clock/dial' : undefined);
        if (uri !== undefined)
          expect(await client.readResource({ uri })).toMatchObject({
            contents: [{ mimeType: viewMimeType }],
          });
        await client.close();
      }
    } finally {
      await listener.close();
    }
  });

  test('the schema has what a view sends', async () => {
    const window = new TestWindow();
    // The definitions have the method and its parameters.
    const sent = async () => {
      const { method, params } = await window.next();
      return { method, params };
    };
    const connecting = connectView({ name: 'view', version: '1', window });
    conform(await sent(), 'McpUiInitializeRequest');
    const hostContext = { availableDisplayModes: ['fullscreen'] };
    const result = { protocolVersion: '2026-01-26', hostInfo: {}, hostCapabilities: {}, hostContext };
    await window.receive({ jsonrpc: '2.0', id: 1, result });
    const host = await connecting;
    conform(await sent(), 'McpUiInitializedNotification');
    conform(await sent(), 'McpUiSizeChangedNotification');
    const requests: readonly [string, (host: Host) => unknown][] = [
      ['McpUiMessageRequest', () => host.sendMessage('Hello')],
      ['McpUiOpenLinkRequest', () => host.openLink('https://a/')],
      ['McpUiUpdateModelContextRequest', () => host.updateModelContext({ structuredContent: { a: 1 } })],
      ['McpUiUpdateModelContextRequest', () => host.updateModelContext({ content: 'a' })],
      ['McpUiRequestDisplayModeRequest', () => host.requestDisplayMode('fullscreen')],
      [
        'McpUiDownloadFileRequest',
        () => host.downloadFile([{ type: 'resource', resource: { uri: 'a:b', text: 'x' } }]),
      ],
    ];
    for (const [definition, send] of requests) {
      void Promise.resolve(send(host)).catch(() => undefined);
      conform(await sent(), definition);
    }
    host.requestTeardown();
    conform(await sent(), 'McpUiRequestTeardownNotification');
  });
});
