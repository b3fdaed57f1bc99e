import { run } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { program } from './program.ts';

const minVersion = 22;

// The driver is loaded in child processes, which an older Node would end without a message.
if (Number(process.versions.node.split('.')[0]) < minVersion) {
  const [command] = Object.keys(manifest.bin);
  process.stderr.write(
    `${command} needs Node ${minVersion} or newer, but runs on ${process.versions.node}: update Node, or configure the host to start a newer one\n`,
  );
  process.exitCode = 2;
} else {
  run(program);
}
