import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client, serverAt } from '@mcp/protocol/client';
import { repository } from '../pack/pack.ts';
import { codeBlocks } from '../../docs/test/pages.ts';
import { expectSessions } from './commands.ts';
import { expectCount, expectStream } from './expect-counter.ts';
import { LambdaService } from './lambda-service.ts';
import { Program } from './program.ts';
import { Project } from './project.ts';

const page = 'deploy/aws-lambda.md';
const pages = join(repository, 'release/pages');

/** Runs the function of the page in the runtime client of AWS: with collected answers, and streaming. */
export async function checkLambda(unpacked: string): Promise<void> {
  using project = new Project(page, unpacked);
  const bundle = codeBlocks(page).findLast(({ language }) => language === 'sh')!.code;
  for (const source of ['server.ts', 'streaming.ts']) {
    execFileSync('sh', ['-c', bundle.replace('server.ts', source)], {
      cwd: project.directory,
      env: { ...process.env, ...project.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await using service = await LambdaService.start('mcp.example.com');
    await using instance = startInstance(project, service);
    await instance.during(() => expectFunction(project, service));
    if (source === 'streaming.ts') await instance.during(() => expectProgress(service));
  }
}

async function expectFunction(project: Project, { address }: LambdaService): Promise<void> {
  const url = `http://${address}/mcp`;
  {
    await using client = await Client.connect(serverAt(url), { revision: '2026-07-28' });
    await expectCount(client);
  }
  await assert.rejects(Client.connect(serverAt(url), { revision: '2025-11-25' }), /Too many sessions/);
  await expectSessions(page, project, (command) =>
    command.replace('https://mcp.example.com', `http://${address}`),
  );
}

async function expectProgress({ address }: LambdaService): Promise<void> {
  await using client = await Client.connect(serverAt(`http://${address}/mcp`), { revision: '2026-07-28' });
  await expectStream(client);
}

/** Starts an instance of the function: the runtime client, which loads it and asks for events. */
function startInstance({ directory }: Project, service: LambdaService): Program {
  const runtime = join(pages, 'node_modules/aws-lambda-ric/index.mjs');
  return Program.start(process.execPath, ['--import', join(pages, 'lambda-native.mjs'), runtime], directory, {
    AWS_LAMBDA_RUNTIME_API: service.address,
    AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
    AWS_LAMBDA_FUNCTION_NAME: 'counter',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/counter',
    AWS_LAMBDA_LOG_STREAM_NAME: '1',
    LAMBDA_TASK_ROOT: join(directory, 'dist'),
    _HANDLER: 'index.handler',
  });
}
