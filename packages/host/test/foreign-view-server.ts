import { defineResource, defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';

// A server that lists all of its tools to every client, and writes the URI of its view into `_meta` as other
// libraries do: `nested`, `flat` (deprecated), or both. foreign-view-server.ts <name> <URI> <form>.

const [name = '', uri = '', form] = process.argv.slice(2);
const _meta = {
  ...(form !== 'flat' && { ui: { resourceUri: uri } }),
  ...(form !== 'nested' && { 'ui/resourceUri': uri }),
};
const run = () => `by ${name}`;
const forViews = { name: 'own', description: 'Is for views.', _meta: { ui: { visibility: ['app'] } } };
const row = defineResource({
  uri: 'ui://table/{row}',
  name: 'row',
  read: ({ row }) => `${row} ${run()}`,
  complete: { row: () => [name] },
});

await serveStdio(
  defineServer({
    name,
    version: '1.0.0',
    tools: [
      defineTool({ name: 'show', description: 'Shows.', _meta, run }),
      defineTool({ ...forViews, run }),
    ],
    resources: [defineResource({ uri, name: 'view', mimeType: 'text/html;profile=mcp-app', read: run }), row],
  }),
);
