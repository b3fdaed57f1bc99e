import { isUtf8 } from 'node:buffer';
import { blobResourceContents, defineResource, type ResourceCall, textResourceContents } from '@mcp/protocol';
import type { RunContext } from '../context.ts';
import { lastRun, ofCommands } from '../input/command-resource.ts';

/** The output of the last run, byte for byte, as far as it is kept. */
export const output = defineResource({
  uri: 'run://{command}/output',
  name: 'output',
  title: 'Last output',
  description: 'The bytes of the last output of a command.',
  ...ofCommands,
  read(variables, call: ResourceCall<RunContext>) {
    const bytes = lastRun(variables, call)?.output.kept ?? Buffer.alloc(0);
    return isUtf8(bytes)
      ? textResourceContents(call.uri, bytes.toString('utf8'), 'text/plain')
      : blobResourceContents(call.uri, bytes, 'application/octet-stream');
  },
});
