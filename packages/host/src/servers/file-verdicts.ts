import { join } from 'node:path';
import type { Verdict, Verdicts } from '@mcp/protocol/client';
import { JsonFile } from '../json-file.ts';

type VerdictFile = Readonly<Record<string, Verdict>>;

/** Keeps how each server opens for the next run. What cannot be written is probed again. */
export function fileVerdicts(cacheDirectory: string, warn: (message: string) => void): Verdicts {
  const file = new JsonFile<VerdictFile>(join(cacheDirectory, 'verdicts.json'), {}, isVerdictFile, warn);
  const change = (server: string, verdict: Verdict | undefined) => {
    const others = Object.entries(file.read()).filter(([name]) => name !== server);
    try {
      file.write(Object.fromEntries(verdict ? [...others, [server, verdict]] : others));
    } catch (error) {
      warn(`Cannot write "${file.path}": ${(error as Error).message}`);
    }
  };
  return {
    get: (server) => new Map(Object.entries(file.read())).get(server),
    set: (server, verdict) => change(server, verdict),
    delete: (server) => change(server, undefined),
  };
}

function isVerdictFile(value: unknown): value is VerdictFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) =>
      typeof each === 'object' &&
      each !== null &&
      typeof each.at === 'number' &&
      typeof each.opening === 'string',
  );
}
