import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the repositories that tests copy. */
    templates: string;
  }
}

/** Creates the directory before all tests, and removes it after them. */
export default function provideTemplateDirectory({ provide }: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'git-templates-'));
  provide('templates', directory);
  return () => rmSync(directory, { recursive: true, force: true });
}
