import { pathToFileURL } from 'node:url';
import { defineResource, defineServer, defineTool, jsonSchema } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import { defineView, serveViews, visibleTo } from '@mcp/views';

// A server whose tools have a view: view-lab.ts <file of the view>.

const [file = ''] = process.argv.slice(2);
const html = pathToFileURL(file);
const view = defineView({ uri: 'ui://lab/dial', html, csp: { connectDomains: ['https://api.example'] } });

const inputSchema = jsonSchema(
  { type: 'object', properties: { place: { type: 'string' }, days: { type: 'integer' } } },
  (value) => value as { place?: string; days?: number },
);

await serveStdio(
  defineServer({
    name: 'view-lab',
    version: '1.0.0',
    tools: [
      defineTool({
        name: 'show',
        description: 'Shows.',
        inputSchema,
        view,
        run: ({ place = '' }) => `shown: ${place}`,
      }),
      defineTool({
        name: 'wait',
        description: 'Waits until it is cancelled.',
        view,
        run: (_, { signal }) =>
          new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('over'))),
      }),
      defineTool({
        name: 'refresh',
        description: 'Is for views.',
        view: visibleTo(['app']),
        run: () => 'refreshed',
      }),
      defineTool({
        name: 'decide',
        description: 'Is for the model.',
        view: visibleTo(['model']),
        run: () => 'decided',
      }),
    ],
    resources: [defineResource({ uri: 'lab://note', name: 'note', read: () => 'A note' })],
    extensions: [serveViews([view])],
  }),
);
