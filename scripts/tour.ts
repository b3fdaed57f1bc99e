import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { showChangedTool } from './tour/changed-tool.ts';
import { showKilledGateway } from './tour/killed-gateway.ts';
import { showModelsMessage } from './tour/models-message.ts';
import { showOneEdit } from './tour/one-edit.ts';
import { showOwnServers } from './tour/own-servers.ts';
import { Mcp, nodeServer, scratch } from './tour/stage.ts';

// Shows what the command `mcp` does, in less than 15 seconds, with real servers: `pnpm start`

const notes = join(scratch, 'notes.txt');
const description = join(scratch, 'description.txt');
const database = join(scratch, 'bookshop.db');
writeFileSync(notes, 'One\n');
writeFileSync(description, 'Returns the entries of today.\n');
copyFileSync(new URL('../servers/sqlite/dist/sample.db', import.meta.url), database);

const diary = nodeServer('scripts/tour/diary-server.mjs', description);
const sample = new Mcp('sample', {
  filesystem: nodeServer('servers/filesystem/dist/main.cjs', scratch),
  sqlite: nodeServer('servers/sqlite/dist/main.cjs', database),
  weather: nodeServer('servers/weather/dist/main.cjs', '--demo', '--data', join(scratch, 'weather')),
  diary,
});

await showOwnServers(sample);
await showChangedTool(sample, description);
await showOneEdit(sample, notes);
await showModelsMessage(sample);
await showKilledGateway(diary);
// On stderr, because `docs/record-tour.ts` records what the tour prints on stdout.
console.error('\nHere, `mcp` is `npx @mcp/host`. For your own server: `npx --yes pnpm@12.21.0 new <name>`');
