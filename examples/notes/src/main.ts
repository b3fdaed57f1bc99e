import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { notes } from './server.ts';

runProgram({
  manifest,
  usage: '<directory>',
  server({ positionals: [directory, ...others], warn }) {
    if (directory === undefined || others.length > 0)
      throw new Error('Missing argument: the directory of the notes');
    return notes({ directory, warn });
  },
});
