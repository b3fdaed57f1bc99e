import { text } from 'node:stream/consumers';
import { messageOf } from '@mcp/kit';
import {
  type CallOutcome,
  mayNameToolOf,
  type ResultBlock,
  type ServerTool,
  type SourceTool,
  type Vendor,
  type VendorCall,
  vendorNames,
  vendors,
} from '@mcp/vendors';
import { didYouMean } from '../../did-you-mean.ts';
import type { CommandInput } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { readNamedFile } from '../../read-file.ts';
import { extendedByProgress } from '../../servers/extended-by-progress.ts';
import type { Listed } from '../../servers/lists.ts';
import type { Servers } from '../../servers/servers.ts';
import { withheldText } from '../../servers/withheld-text.ts';

/**
 * Runs the tool calls in a model's message one after the other, and prints the messages with their results.
 */
export async function callFromVendor(name: string, input: CommandInput): Promise<number> {
  const vendorName = vendorNames.find((each) => each === name);
  if (!vendorName) throw usageError(`Invalid --from: "${name}"; expected ${vendorNames.join(', ')}`);
  const vendor: Vendor = vendors[vendorName];
  const calls = readCalls(vendor, await messageText(input), name);
  const tools = await toolsOf(calls, vendor, input);
  const outcomes: CallOutcome[] = [];
  for (const call of calls) {
    input.signal.throwIfAborted();
    outcomes.push(await outcomeOf(call, vendor, tools, input));
  }
  input.output.value(vendor.toResults(outcomes));
  return outcomes.some(({ isError }) => isError) ? exitCodes.tool : exitCodes.ok;
}

async function messageText({ positionals, stdin, signal }: CommandInput): Promise<string> {
  const [word, ...rest] = positionals;
  if (word === undefined) return text(stdin());
  if (!word.startsWith('@') || rest.length > 0)
    throw usageError(`Unexpected argument: "${word}"; expected @file, or the message on stdin`);
  try {
    return (await readNamedFile(word.slice(1), signal)).toString();
  } catch (error) {
    signal.throwIfAborted();
    throw usageError(`Cannot read the message: ${messageOf(error)}`);
  }
}

function readCalls(vendor: Vendor, message: string, name: string): readonly VendorCall[] {
  try {
    return vendor.readCalls(JSON.parse(message));
  } catch (error) {
    throw usageError(`The message is not in the format of ${name}: ${messageOf(error)}`);
  }
}

interface KnownTools {
  readonly names: ReadonlyMap<string, ServerTool>;
  /** The errors of servers whose tools could not be listed, although a call may name one of these tools. */
  readonly problems: readonly string[];
}

/** The tools of those servers to which the names in the calls may belong; no other server is started. */
async function toolsOf(
  calls: readonly VendorCall[],
  vendor: Vendor,
  input: CommandInput,
): Promise<KnownTools> {
  const { servers } = input;
  const meant = servers.names.filter((server) => calls.some(({ name }) => mayNameToolOf(server, name)));
  return namesOf(meant, vendor, (server) => servers.list(server, 'tools'));
}

async function namesOf(
  servers: readonly string[],
  vendor: Vendor,
  list: (server: string) => Promise<Listed<'tools'>>,
): Promise<KnownTools> {
  const lists = await Promise.allSettled(
    servers.map(async (server) =>
      (await list(server)).items.map((tool) => ({ server, tool: tool as SourceTool })),
    ),
  );
  const listed = lists.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const problems = lists.flatMap((each) => (each.status === 'rejected' ? [messageOf(each.reason)] : []));
  return { names: vendor.toTools(listed).names, problems };
}

async function outcomeOf(
  call: VendorCall,
  vendor: Vendor,
  { names, problems }: KnownTools,
  { servers, signal }: CommandInput,
): Promise<CallOutcome> {
  const found = names.get(call.name);
  if (!found) {
    const reason = await withheldReason(call.name, vendor, servers);
    return failed(call, reason ?? unknownTool(call.name, await knownNames(names, vendor, servers), problems));
  }
  if (call.invalid !== undefined) return failed(call, call.invalid);
  const { server, tool } = found;
  const args = vendor.restoreArguments(call.args, tool.inputSchema);
  try {
    const result = await servers.use(server, (client) =>
      client.callTool(tool.name, args, { signal, ...extendedByProgress }),
    );
    const content =
      result.content.length === 0 && result.structuredContent !== undefined
        ? [{ type: 'text', text: JSON.stringify(result.structuredContent) }]
        : (result.content as readonly ResultBlock[]);
    return { call, content, isError: result.isError === true };
  } catch (error) {
    signal.throwIfAborted();
    return failed(call, messageOf(error));
  }
}

/** The message for a call of a tool that is hidden until the user accepts its change; otherwise undefined. */
async function withheldReason(name: string, vendor: Vendor, servers: Servers): Promise<string | undefined> {
  for (const server of servers.names.filter((each) => mayNameToolOf(each, name))) {
    const withheld = await servers.withheldTools(server).catch(() => []);
    const tools = withheld.map((tool) => ({ server, tool: { name: tool, inputSchema: {} } }));
    const found = vendor.toTools(tools).names.get(name);
    if (found) return withheldText(server, found.tool.name);
  }
  return undefined;
}

/** The names of the listed tools; if no tool was listed, the names in all cached lists. */
async function knownNames(names: KnownTools['names'], vendor: Vendor, servers: Servers): Promise<string[]> {
  if (names.size > 0) return [...names.keys()];
  const cached = await namesOf(servers.names, vendor, (server) =>
    servers.list(server, 'tools', { cachedAfterMs: 0 }),
  );
  return [...cached.names.keys()];
}

function failed(call: VendorCall, message: string): CallOutcome {
  return { call, content: [{ type: 'text', text: message }], isError: true };
}

function unknownTool(name: string, names: readonly string[], problems: readonly string[]): string {
  return [`There is no tool "${name}"${didYouMean(name, names)}`, ...problems].join('\n');
}
