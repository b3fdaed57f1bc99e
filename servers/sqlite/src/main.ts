import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { program } from './program.ts';

const [first, ...rest] = process.argv.slice(2);
if (first === 'bundle') {
  const [command] = Object.keys(manifest.bin);
  void import('./bundle/bundle-command.ts')
    .then(({ bundleCommand }) => bundleCommand(rest, command!))
    .then((code) => (process.exitCode = code));
} else {
  runProgram(program);
}
