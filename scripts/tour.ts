import { rmSync } from 'node:fs';
import { appendFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';

// Shows what a host does with a server, step by step. `pnpm start [directory]`

const repository = fileURLToPath(new URL('..', import.meta.url));
const directory = resolve(
  process.env['INIT_CWD'] ?? repository,
  process.argv.slice(2).find((arg) => arg !== '--') ?? repository,
);
const scratch = await mkdtemp(join(tmpdir(), 'mcp-tour-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

step(`Start the filesystem server on ${directory}, as a host does: a child process, spoken to over stdio`);
const program = join(repository, 'servers/filesystem/dist/main.cjs');
const server = spawnServer({ command: process.execPath, args: [program, directory, scratch] });
const client = await Client.connect(server.channel, { name: 'tour', version: '1.0.0' }).catch(() => {
  // The server has printed the reason on stderr.
  process.exit(1);
});
say(
  `${client.serverInfo?.name} ${client.serverInfo?.version} speaks ${client.protocolVersion}: ${client.instructions}`,
);

step('What does it offer?');
for (const { name, description } of await client.listTools()) say(`tool      ${name}: ${description}`);
for (const { uriTemplate, description } of await client.listResourceTemplates())
  say(`resource  ${uriTemplate}: ${description}`);
for (const { name, description } of await client.listPrompts()) say(`prompt    ${name}: ${description}`);

step('Call a tool: list_directory');
const listing = await client.callTool('list_directory', { path: directory });
for (const block of listing.content) if (block.type === 'text') say(block.text);

step('Ask for what is not allowed');
const refused = await client.callTool('read_text_file', { path: '/etc/passwd' });
for (const block of refused.content) if (block.type === 'text') say(block.text);

step('Subscribe to a file, then change it from outside the server');
const notes = join(scratch, 'notes.txt');
await writeFile(notes, 'One\n');
const uri = pathToFileURL(notes).href;
const heard = Promise.withResolvers<void>();
const stop = await client.subscribe(uri, heard.resolve);
say(`subscribed  ${uri}`);
await appendFile(notes, 'Two\n');
await heard.promise;
const [changed] = (await client.readResource(uri)).contents;
say(`updated     ${changed && 'text' in changed ? JSON.stringify(changed.text) : ''}`);
await stop();

step('Say goodbye: the end of its stdin ends the server');
await client.close();
say(`exit code ${(await server.exited).code}`);

function step(title: string): void {
  console.log(`\n— ${title}\n`);
}

function say(text: string): void {
  console.log(text.replace(/^/gm, '  '));
}
