import { run } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { program } from './program.ts';

const oldest = 22;

// The driver is not loaded in this process; on an older Node it would end the one that loads it without a word.
if (Number(process.versions.node.split('.')[0]) < oldest) {
  const [command] = Object.keys(manifest.bin);
  process.stderr.write(
    `${command} needs Node ${oldest} or newer, and this is Node ${process.versions.node}: update Node, or name a newer one in the host's configuration\n`,
  );
  process.exitCode = 2;
} else {
  run(program);
}
