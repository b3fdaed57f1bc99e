import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client, type ClientOptions } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';

// The program by which an agent calls servers in the jobs of README.md: opens the servers of a configuration,
// answers calls over HTTP, accepts each confirmation, and logs every call with the bytes of its answer.
//
//   node bench/jobs/hands.ts servers.json log.jsonl
//   curl localhost:4100/                                     the tools; calls and bytes so far
//   curl localhost:4100/files/read_text_file -d '{"path":"a.txt"}'   one call; prints the text of its answer

const [file, log, port = '4100'] = process.argv.slice(2);
if (file === undefined || log === undefined)
  throw new Error('Usage: node bench/jobs/hands.ts <servers.json> <log.jsonl> [port]');

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
}

interface Configuration {
  readonly mcpServers: { readonly [name: string]: { command: string; args: string[] } };
}

const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as Configuration;
const clients = new Map<string, Client>();
for (const [name, command] of Object.entries(mcpServers)) {
  const options: ClientOptions = {
    elicit: (request) => Promise.resolve({ action: 'accept', content: accepted(request) }),
  };
  clients.set(name, await Client.connect(serverCommand(command), options));
}
const sums = { calls: 0, errors: 0, wireBytes: 0, textBytes: 0 };

createServer((request, response) => {
  const [server = '', tool] = (request.url ?? '/').slice(1).split('/');
  (tool === undefined ? list() : json(request).then((args) => call(server, tool, args as object))).then(
    (text) => response.end(`${text}\n`),
    (error: unknown) => response.writeHead(500).end(`ERROR ${String(error)}\n`),
  );
}).listen(Number(port), 'localhost', () => process.stdout.write(`Listening on localhost:${port}\n`));

async function list(): Promise<string> {
  const lists = await Promise.all(
    [...clients].map(async ([name, client]) => {
      const tools = await client.listTools();
      const text = JSON.stringify(tools);
      return `# ${name}: ${text.length} bytes\n${client.instructions ?? ''}\n${text}`;
    }),
  );
  return [...lists, JSON.stringify(sums)].join('\n\n');
}

async function call(server: string, tool: string, args: object): Promise<string> {
  const client = clients.get(server);
  if (!client) throw new Error(`No server "${server}"; there are ${[...clients.keys()].join(', ')}`);
  const { text, wire, isError } = await client.callTool(tool, { ...args }).then(
    (result) => ({
      text: result.content.map((each) => (each.type === 'text' ? each.text : `[${each.type}]`)).join('\n'),
      wire: JSON.stringify(result),
      isError: result.isError === true,
    }),
    (error: unknown) => ({ text: String(error), wire: String(error), isError: true }),
  );
  const bytes = { wire: Buffer.byteLength(wire), text: Buffer.byteLength(text) };
  sums.calls++;
  sums.errors += Number(isError);
  sums.wireBytes += bytes.wire;
  sums.textBytes += bytes.text;
  appendFileSync(log!, `${JSON.stringify({ server, tool, args, isError, ...bytes })}\n`);
  return isError ? `ERROR ${text}` : text;
}

type Answer = { [name: string]: string | boolean };

/** Accepts a form: true for each boolean, the first value of each choice. */
function accepted(request: object): Answer {
  const { requestedSchema } = request as { requestedSchema?: { properties: { [name: string]: Property } } };
  const properties = Object.entries(requestedSchema?.properties ?? {});
  return Object.fromEntries(
    properties.flatMap(([name, property]) => {
      const value = property.type === 'boolean' ? true : property.enum?.[0];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
