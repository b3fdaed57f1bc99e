import { exitCodes } from '../errors.ts';
import type { ListedTool } from '../servers/servers.ts';
import { table } from '../terminal/table.ts';
import { vendors, type VendorName } from '../vendors/vendors.ts';
import type { SourceTool } from '../vendors/vendor.ts';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { eachServer, type ServerResult } from './each-server.ts';
import { usageError } from '../command-line/target.ts';

export const tools: Command = {
  name: 'tools',
  usage: '[server…]',
  help: 'the tools of all servers, or of those that are named',
  options: [
    { name: 'grep', value: 'text', help: 'only tools with this text in their name or description' },
    { name: 'format', value: 'vendor', help: `for a model's request: ${Object.keys(vendors).join(', ')}` },
    { name: 'strict', help: 'with --format, in the strict mode of the vendor' },
  ],
  async run(input) {
    const { positionals, options, servers, output } = input;
    const format = valueOf(options, 'format');
    if (format !== undefined && !Object.hasOwn(vendors, format)) {
      throw usageError(`Invalid --format: "${format}"; expected ${Object.keys(vendors).join(', ')}`);
    }
    const grep = valueOf(options, 'grep')?.toLowerCase();
    const results = await eachServer(positionals, servers, async (name) => {
      const listed = await servers.tools(name);
      return listed.filter((tool) => grep === undefined || textOf(tool).includes(grep));
    });
    if (format !== undefined) printForVendor(results, format as VendorName, input);
    else if (output.json)
      output.value(Object.fromEntries(results.map((each) => [each.server, jsonOf(each)])));
    else printForPerson(results, input);
    return results.some(({ error }) => error) ? exitCodes.unreachable : exitCodes.ok;
  },
};

function textOf({ name, title, description }: ListedTool): string {
  return [name, title, description].join('\n').toLowerCase();
}

function jsonOf({ value, error }: ServerResult<ListedTool[]>): object {
  return error ? { error: error.message } : { tools: value };
}

function printForPerson(results: readonly ServerResult<ListedTool[]>[], { output }: CommandInput): void {
  for (const { server, value, error } of results) {
    output.text(output.styled('bold', server));
    if (error) {
      output.foreign(`  ${output.styled('red', error.message)}`);
      continue;
    }
    const rows = value.map(({ name, title, description }) => [`  ${name}`, description ?? title ?? '']);
    for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
  }
}

function printForVendor(
  results: readonly ServerResult<ListedTool[]>[],
  format: VendorName,
  { options, output }: CommandInput,
): void {
  const all = results.flatMap(({ server, value }) =>
    (value ?? []).map((tool) => ({ server, tool: tool as SourceTool })),
  );
  const { tools: request, notes } = vendors[format].toTools(all, { strict: options['strict'] === true });
  output.value(request);
  for (const { server, tool, path, message } of notes) {
    output.note(output.styled('yellow', `${server}.${tool}${path === '' ? '' : ` ${path}`}: ${message}`));
  }
  for (const { error } of results) if (error) output.note(output.styled('red', error.message));
}
