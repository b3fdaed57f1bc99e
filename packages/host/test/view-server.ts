import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import { defineView, serveViews, visibleTo } from '@mcp/views';

// A server with a view: view-server.ts <name> <URI of the view> [<tool for views>].

const [name = '', uri = '', own = 'refresh'] = process.argv.slice(2);
const view = defineView({ uri, html: `<!doctype html><title>${name}</title>` });
const by = () => `by ${name}`;

await serveStdio(
  defineServer({
    name,
    version: '1.0.0',
    tools: [
      defineTool({ name: 'show', description: 'Shows.', view, run: by }),
      defineTool({ name: own, description: 'Refreshes.', view: visibleTo(['app'], view), run: by }),
    ],
    extensions: [serveViews([view])],
  }),
);
