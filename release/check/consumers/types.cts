// Compiled, not run: a CommonJS module in TypeScript, which requires ES modules.
import { withOAuth } from '@mcp/authorization';
import { type Call, defineServer, defineTool, jsonSchema, type Server, type Tool } from '@mcp/protocol';
import { Client, serverAt, type CallToolResult } from '@mcp/protocol/client';
import { webHandler, type Verify } from '@mcp/protocol/web';
import { httpHandler } from '@mcp/protocol/http';
import { serveStdio } from '@mcp/protocol/stdio';
import { DocumentReader, type DocumentText } from '@mcp/documents';
import { openApiTools, type OpenApiOptions } from '@mcp/openapi';
import { type LoginCaller, passphraseLogin } from '@mcp/login';
import { login } from '@mcp/login/command-line';
import { Outliner, type Outline } from '@mcp/outline';
import { CommandRunner, readConfiguration, type Run } from '@mcp/run-commands';
import { AllowedDirectories, Repositories, status, type Status } from '@mcp/safe-git';
import { Sandbox, type SearchResult } from '@mcp/sandbox';
import { listSkills, type SkillEntry } from '@mcp/skills';
import { Databases, resolveFiles, type WriteResult } from '@mcp/sqlite-pool';
import { vendors, type VendorTools } from '@mcp/vendors';
import { plainSchema } from '@mcp/vendors/content';
import { connectRedis, type RedisStore } from '@mcp/redis';
import { jwtVerifier, type TokenCaller } from '@mcp/verifiers';
import { defineView, serveViews, type View } from '@mcp/views';
import { connectView, type Host } from '@mcp/views/browser';
import { cleanText } from '@mcp/views/model';
import { Watcher } from '@mcp/watch';
import { type Answer, WeatherAnswers, WeatherService } from '@mcp/weather-data';
import { inUnit, unitOf } from '@mcp/weather-data/units';

type Numbers = { readonly a: number; readonly b: number };

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: jsonSchema<Numbers>({ type: 'object' }, (value) => value as Numbers),
  run: ({ a, b }, { context: { offset } }: Call<{ readonly offset: number }>) => String(a + b + offset),
});

const server: Server = defineServer({
  name: 'adder',
  version: '1.0.0',
  context: { offset: 1 },
  tools: [add],
});

// @ts-expect-error The tool needs `offset`.
defineServer({ name: 'adder', version: '1.0.0', context: {}, tools: [add] });

export async function call(): Promise<CallToolResult> {
  const client = await Client.connect(serverAt('http://127.0.0.1:8000/mcp'));
  return client.callTool('add', { a: 1, b: 2 });
}

export const request: VendorTools = vendors.openai.toTools([
  { server: 's', tool: { name: 'add', inputSchema: plainSchema({ type: 'object' }) } },
]);

export const state: Promise<Status> = new Repositories(new AllowedDirectories(['.']), { environment: {} })
  .at(undefined)
  .run(status());

const weather = new WeatherService({
  provider: 'open-meteo',
  directories: { data: 'data', cache: 'cache' },
  userAgent: 'types',
});
export const answer: Promise<Answer> = weather
  .findOnly('Berlin')
  .then((place) => new WeatherAnswers(weather).current(place, { units: 'si' }));

export const fahrenheit: number = inUnit(20, unitOf('temperature', 'imperial'));

const runner = new CommandRunner(readConfiguration('commands.json'), { allowCommand: 'allow' });
export const ran: Promise<Run> = runner.start('test', {}, { signal: AbortSignal.timeout(1_000) });

export const found: Promise<SearchResult> = Sandbox.open({ directories: ['.'] }).search('.', 'text');

export const outline: Promise<Outline> = new Outliner().outlineOf('# a', 'markdown');

export const document: Promise<DocumentText> = new DocumentReader().read(new Uint8Array(), 'a.pdf');

const databases = new Databases(resolveFiles({ paths: ['shop.db'] }), { allowWrite: true });
export const written: Promise<WriteResult> = databases
  .get('shop')
  .write({ statements: [{ sql: 'DELETE FROM t' }], dryRun: true });

export const shared: () => Promise<RedisStore> = () => connectRedis('redis://localhost');
export const verify: Verify<TokenCaller> = jwtVerifier({
  issuer: 'https://login.example',
  audience: 'https://mcp.example/mcp',
});

const options: OpenApiOptions = { baseUrl: 'https://api.example', select: { tags: ['pets'] } };
export const tools: Tool<object>[] = openApiTools({ openapi: '3.1.0' }, options);

export const loginOptions: string[] = Object.keys(login.options);
export const verifyLogin: Promise<Verify<LoginCaller>> = passphraseLogin({
  passphrase: 'correct horse battery',
  url: 'https://mcp.example/mcp',
  file: '/tmp/login.json',
}).then(({ verify }) => verify);

export { webHandler, httpHandler, serveStdio, server, Watcher, withOAuth };

export const entries = async (client: Client): Promise<readonly SkillEntry[]> =>
  (await listSkills(client)).skills;

const view: View = defineView({ uri: 'ui://clock/dial', html: '<!doctype html>' });
export const viewed: Server = defineServer({
  name: 'clock',
  version: '1.0.0',
  tools: [defineTool({ name: 'time', description: 'Says the time.', view, run: () => 'noon' })],
  extensions: [serveViews([view])],
});

export const host: Promise<Host> = connectView({ name: 'dial', version: '1.0.0' });
export const shown: string = cleanText('text of others', 80);
