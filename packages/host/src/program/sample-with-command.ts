import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isObject, messageOf } from '@mcp/kit';
import { type HostHandlers, RpcError } from '@mcp/protocol/client';

/** The JSON-RPC error code for a request that the user has refused. */
const refusedByUser = -1;

/** Maximum length of the command's response, in characters. */
const maxResponseLength = 64 * 1024 * 1024;

/**
 * Answers sampling requests with a command that a shell runs: it gets the request as JSON on stdin, and
 * writes the result as JSON to stdout. If the command fails, the request is refused.
 */
export function sampleWithCommand(command: string): NonNullable<HostHandlers['sample']> {
  return async (request, { signal }) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], signal });
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(request)}\n`);
    const [output, [code]] = await Promise.all([limitedText(child.stdout), once(child, 'exit')]);
    if (code !== 0)
      throw new RpcError(refusedByUser, `The command of --sampling ended with exit code ${code}`);
    return parseResponse(output);
  };
}

async function limitedText(stream: NodeJS.ReadableStream): Promise<string> {
  return text(
    (async function* () {
      let length = 0;
      for await (const chunk of stream) {
        length += chunk.length;
        if (length > maxResponseLength)
          throw new RpcError(refusedByUser, 'The command of --sampling printed more than 64 MiB');
        yield chunk as Buffer;
      }
    })(),
  );
}

function parseResponse(output: string): Awaited<ReturnType<NonNullable<HostHandlers['sample']>>> {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch (error) {
    throw new RpcError(refusedByUser, `The command of --sampling printed no JSON: ${messageOf(error)}`);
  }
  if (!isResponse(value))
    throw new RpcError(
      refusedByUser,
      'The command of --sampling must print {"role":"assistant","content":{…},"model":"…"}',
    );
  return value;
}

type SamplingResponse = Awaited<ReturnType<NonNullable<HostHandlers['sample']>>>;

function isResponse(value: unknown): value is SamplingResponse {
  if (!isObject(value)) return false;
  const { role, content, model } = value;
  return role === 'assistant' && typeof content === 'object' && content !== null && typeof model === 'string';
}
