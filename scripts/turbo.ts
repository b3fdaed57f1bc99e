import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs turbo with its telemetry off, so that it prints no notice about telemetry. Returns its output. */
export async function turbo(
  ...args: string[]
): Promise<{ readonly failed: boolean; readonly output: string }> {
  const child = spawn('turbo', ['run', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
    shell: process.platform === 'win32',
  });
  const exit = new Promise<number | null>((resolve, reject) => child.on('exit', resolve).on('error', reject));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { failed: code !== 0, output: out + err };
}
