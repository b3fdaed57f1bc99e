import { defineServer, defineTool } from '@mcp/protocol';
import { runProgram } from '@mcp/protocol/command-line';

const echo = defineTool({ name: 'echo', description: 'Echoes.', run: () => 'Echo' });

runProgram({
  manifest: { name: '@me/echo', version: '1.2.3', description: 'Echoes', bin: { echo: 'x' } },
  usage: '[directory…]',
  server: () => defineServer({ name: 'echo', version: '1.2.3', tools: [echo] }),
});
