import { expect } from 'vitest';
import { definePrompt, defineResource, defineServer, defineTool, resourceLink } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { Wire } from './wire.ts';

const icons = [
  { src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48', '96x96'] },
  { src: 'data:image/svg+xml;base64,PHN2Zy8+', sizes: ['any'], theme: 'dark' },
] as const;

const info = { name: 'pictured', title: 'Pictured', version: '1.0.0', icons };

const server = defineServer({
  ...info,
  tools: [
    defineTool({
      name: 'tool',
      title: 'A Tool',
      description: 'x',
      icons,
      run: () => resourceLink({ uri: 'x:///link', name: 'link', title: 'A Link', icons }),
    }),
  ],
  prompts: [definePrompt({ name: 'prompt', title: 'A Prompt', description: 'x', icons, run: () => 'x' })],
  resources: [
    defineResource({ uri: 'x:///fixed', name: 'fixed', title: 'A Resource', icons, read: () => 'x' }),
    defineResource({ uri: 'x:///{some}', name: 'some', title: 'A Template', icons, read: () => 'x' }),
  ],
});

requirement(
  ['ICON-03', 'ICON-04'],
  'icons and titles are sent in revisions that define them',
  async (version) => {
    const wire = await Wire.open(server, version);
    const more = (title: string) => ({ title, ...(version >= '2025-11-25' && { icons }) });
    expect((await wire.result('tools/list'))['tools']).toEqual([
      {
        name: 'tool',
        description: 'x',
        inputSchema: { type: 'object', additionalProperties: false },
        ...more('A Tool'),
      },
    ]);
    expect((await wire.result('prompts/list'))['prompts']).toEqual([
      { name: 'prompt', description: 'x', ...more('A Prompt') },
    ]);
    expect((await wire.result('resources/list'))['resources']).toEqual([
      { uri: 'x:///fixed', name: 'fixed', ...more('A Resource') },
    ]);
    expect((await wire.result('resources/templates/list'))['resourceTemplates']).toEqual([
      { uriTemplate: 'x:///{some}', name: 'some', ...more('A Template') },
    ]);
    expect((await wire.call('tool'))['content']).toEqual([
      { type: 'resource_link', uri: 'x:///link', name: 'link', ...more('A Link') },
    ]);
  },
);

requirement('ICON-03', 'the serverInfo has icons', async (version) => {
  const wire = await Wire.open(server, version);
  if (version === '2025-11-25') {
    expect(wire.raw.received[0]).toMatchObject({ result: { serverInfo: info } });
    return;
  }
  expect(await wire.result('server/discover')).toMatchObject({
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  });
});
