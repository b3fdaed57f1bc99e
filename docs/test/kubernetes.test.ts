import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, HttpChannel } from '@mcp/protocol/client';
import type { HttpListener } from '@mcp/protocol/http';
import { afterAll, expect, test } from 'vitest';
import { serverProgram } from '../../test/server-program.ts';
import { PageCode } from './page-code.ts';
import { codeBlocks, readPage, repository } from './pages.ts';

const { loadAll } = createRequire(join(repository, 'packages/host/package.json'))('js-yaml') as {
  loadAll: (text: string) => unknown[];
};

const page = 'deploy/kubernetes.md';
const blockOf = (name: string) => codeBlocks(page).find(({ file }) => file === name)!.code;
const has = (command: string) => spawnSync(command, ['--version']).error === undefined;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}
interface Labels {
  readonly [name: string]: string;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}
interface Service {
  readonly command: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly deploy: { readonly replicas: number };
  readonly healthcheck: { readonly test: readonly string[] };
}

const manifests = loadAll(blockOf('weather.yaml')) as Manifest[];
const manifestOf = (kind: string, name: string) =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)!.spec;
const [{ services }] = loadAll(blockOf('compose.yaml')) as [
  { services: { readonly [name: string]: Service } },
];
/** The address of the option of a container, as a port. */
const portIn = (args: readonly string[], option: string) =>
  Number(args[args.indexOf(option) + 1]!.split(':').at(-1));

test('the manifest agrees with itself and with the program', () => {
  const { template, selector } = manifestOf('Deployment', 'weather');
  const { containers, terminationGracePeriodSeconds, volumes } = template.spec;
  const [{ args, ports, volumeMounts, startupProbe, livenessProbe, readinessProbe }] = containers;
  const help = execFileSync(process.execPath, [serverProgram('weather'), '--help'], { encoding: 'utf8' });
  for (const list of [args, services['weather']!.command])
    for (const arg of list.filter((each) => each.startsWith('--'))) expect(help).toContain(`${arg} `);
  const named = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
  expect(named).toEqual({ http: portIn(args, '--http'), metrics: portIn(args, '--metrics') });
  expect(template.metadata.annotations['prometheus.io/port']).toBe(String(named['metrics']));
  const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
  expect(probes.map(({ path, port }) => [path, port])).toEqual([
    ['/healthz', 'http'],
    ['/healthz', 'http'],
    ['/readyz', 'http'],
  ]);
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(portIn(args, '--drain') + 10);
  expect(volumeMounts.map(({ name }) => name)).toEqual(volumes?.map(({ name }) => name));
  for (const name of ['weather', 'weather-redis']) {
    const workload = manifestOf(name === 'weather' ? 'Deployment' : 'StatefulSet', name);
    expect(workload.selector.matchLabels).toEqual(workload.template.metadata.labels);
    const service = manifestOf('Service', name);
    expect(service.selector).toEqual(workload.template.metadata.labels);
    const own = workload.template.spec.containers[0].ports.map((port) => port.name);
    for (const { targetPort } of service.ports!) expect(own).toContain(targetPort);
  }
  expect(manifestOf('PodDisruptionBudget', 'weather').selector.matchLabels).toEqual(selector.matchLabels);
});

const skipped = !has('redis-server') || spawnSync('nginx', ['-v']).error !== undefined;
if (skipped) process.stdout.write('Skipped: the compose file: there is no "redis-server" or no "nginx"\n');

test.skipIf(skipped)(
  'the commands of the compose file serve each revision, also when replicas are replaced',
  async () => {
    await using place = await Place.make();
    const { url, weather } = place;
    expect(weather).toHaveLength(services['weather']!.deploy.replicas);
    const headers = { Authorization: 'Bearer secret' };
    const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
    const clients = await Promise.all(
      revisions.map((revision) => Client.connect(new HttpChannel(url, { headers }), { revision })),
    );
    const listed = async () => {
      const lists = await Promise.all(clients.map((client) => client.listTools()));
      expect(lists.map(({ length }) => length > 0)).toEqual(clients.map(() => true));
    };
    for (let turn = 0; turn < 4; turn++) await listed();
    expect(await Promise.all(weather.map(({ port }) => statusOf(port, '/readyz')))).toEqual([200, 200, 200]);
    // One is replaced: with its drain, and without an error of a client.
    const [first] = weather;
    first!.child.kill('SIGTERM');
    await expect.poll(() => statusOf(first!.port, '/readyz')).toBe(503);
    await listed();
    await Promise.all([once(first!.child, 'exit'), listed()]);
    for (let turn = 0; turn < 4; turn++) await listed();
    await Promise.all(clients.map((client) => client.close()));
  },
);

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

/** The services of the compose file as processes, each at a free port. */
class Place implements AsyncDisposable {
  readonly url: string;
  readonly weather: readonly Started[];
  readonly #directory: string;
  readonly #all: readonly Started[];

  private constructor(directory: string, all: readonly Started[]) {
    this.#directory = directory;
    this.#all = all;
    this.weather = all.slice(1, -1);
    this.url = `http://127.0.0.1:${all.at(-1)!.port}/mcp`;
  }

  static async make(): Promise<Place> {
    const directory = mkdtempSync(join(tmpdir(), 'mcp-compose-'));
    const { redis, weather } = services as { readonly redis: Service; readonly weather: Service };
    const program = installed(directory);
    const [redisPort = 0, ...ports] = await Promise.all(Array.from({ length: 8 }, freePort));
    const [command = '', ...args] = redis.command;
    const own = [...args, '--port', String(redisPort), '--dir', directory];
    const started = [{ child: run(command, own, {}), port: redisPort }];
    await listening(redisPort);
    const env = {
      MCP_TOKEN: 'secret',
      MCP_REDIS_URL: weather.environment['MCP_REDIS_URL']!.replace('redis:6379', `127.0.0.1:${redisPort}`),
    };
    for (let count = 0; count < weather.deploy.replicas; count++) {
      const [http, metrics] = [ports[count]!, ports[count + 3]!];
      const moved = weather.command.map((arg) =>
        arg.replace(':8080', `:${http}`).replace(':9464', `:${metrics}`).replace('/data', directory),
      );
      started.push({ child: run(process.execPath, [program, ...moved], env), port: http });
    }
    await Promise.all(started.map(({ port }) => listening(port)));
    const front = ports.at(-1)!;
    const replicas = started.slice(1).map(({ port }) => `server 127.0.0.1:${port};`);
    const config = blockOf('nginx.conf')
      .replace(/^ +resolver .*$/m, 'access_log off; client_body_temp_path body; proxy_temp_path proxy;')
      .replace('server weather:8080 resolve;', replicas.join(' '))
      .replace('listen 80;', `listen 127.0.0.1:${front};`);
    const file = join(directory, 'nginx.conf');
    writeFileSync(file, `daemon off; pid nginx.pid; error_log stderr crit;\n${config}`);
    started.push({ child: run('nginx', ['-c', file, '-p', directory], {}), port: front });
    await listening(front);
    return new Place(directory, started);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#all.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill(child.spawnfile === 'nginx' ? 'SIGTERM' : 'SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** The files of the image: the server, and the package beside it. Returns the path of the program. */
function installed(directory: string): string {
  const packages = join(directory, 'node_modules/@mcp');
  mkdirSync(packages, { recursive: true });
  const server = join(repository, 'servers/weather');
  for (const part of ['package.json', 'dist'])
    cpSync(join(server, part), join(packages, 'server-weather', part), { recursive: true });
  symlinkSync(join(repository, 'packages/redis'), join(packages, 'redis'));
  const [, program = ''] = /ENTRYPOINT \["node", "\/app\/(.+)"\]/.exec(blockOf('Dockerfile')) ?? [];
  return join(directory, program);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function statusOf(port: number, path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when a port accepts connections; rejects after 20 seconds. */
async function listening(port: number): Promise<void> {
  const until = performance.now() + 20_000;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    if (performance.now() > until) throw new Error(`Nothing listens at port ${port}`);
  }
}

const code = new PageCode();
afterAll(() => code[Symbol.dispose]());

test('guides/operate.md: the program answers probes and counts its requests', async () => {
  const settings = { PORT: '0', METRICS_PORT: '0', DRAIN_MS: '1' };
  Object.assign(process.env, settings);
  const { listener } = await code.load<{ readonly listener: HttpListener }>('guides/operate.md', 'listener');
  for (const name of Object.keys(settings)) delete process.env[name];
  const { url, metricsUrl = '' } = listener;
  const client = await Client.connect(new HttpChannel(url));
  await client.callTool('hello');
  await client.close();
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toContain('mcp_requests_total{method="tools/call",outcome="ok"} 1');
  for (const [, names = ''] of codeTable()) {
    for (const [, name = ''] of names.matchAll(/`(\w+)/g)) expect(metrics).toContain(`# TYPE ${name} `);
  }
  await listener.close();
});

/** The rows of the table of metrics. */
function codeTable(): readonly RegExpExecArray[] {
  return [...readPage('guides/operate.md').matchAll(/^\| (`(?:mcp|process)_[^|]+)\|/gm)];
}
