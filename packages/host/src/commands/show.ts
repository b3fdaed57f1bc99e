import { plainSchema } from '@mcp/vendors/content';
import type { Command } from '../command-line/command.ts';
import { targetFirst } from '../command-line/target.ts';
import { exitCodes } from '../errors.ts';
import { describeServer } from '../views/describe-server.ts';
import { describeTool } from '../views/describe-tool.ts';
import { listedTool } from '../views/listed-tool.ts';

export const show: Command = {
  name: 'show',
  usage: '<server | server.tool>',
  help: 'a tool in full, with a call to copy and its signature in TypeScript; or what a server says of itself',
  words: ['tool'],
  async run(input) {
    const { positionals, servers, output } = input;
    const { names } = servers;
    const [word = names.length === 1 ? names[0] : undefined] = positionals;
    if (word !== undefined && positionals.length <= 1 && names.includes(word))
      return describeServer(word, input);
    const { target } = await targetFirst(positionals, servers, 'tool');
    const tool = await listedTool(target, input);
    if (output.json) output.value(tool);
    else {
      const { signatureOf } = await import('../generate/signature.ts');
      const described = { ...tool, inputSchema: plainSchema(tool.inputSchema) };
      describeTool(target, described, signatureOf(tool), output);
    }
    return exitCodes.ok;
  },
};
