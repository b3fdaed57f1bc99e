import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { listServer } from './server.ts';

runProgram({
  manifest,
  usage: '[file]',
  server: ({ positionals: [file = 'items.txt'] }) => listServer(file),
});
