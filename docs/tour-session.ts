import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TourVisitor } from './tour-visitor.ts';

/**
 * Runs the tour for a visitor, and returns its output with short paths in place of temporary ones, one port,
 * and without times, which differ from machine to machine.
 */
export async function tourSession({ base, home, env }: TourVisitor): Promise<string> {
  const tour = join(import.meta.dirname, '../scripts/tour.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [tour], { env });
  return stdout
    .trimStart()
    .replaceAll(home, '~')
    .replace(new RegExp(`${base}/tmp/mcp-tour-\\w+`, 'g'), '/tmp/tour')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/\d+ ms/g, '… ms');
}
