import { join } from 'node:path';
import { build } from 'esbuild';

export const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Bundles a script for a page, from a file beside the tests. */
export async function bundleScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '..', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@mcp/source'],
  });
  // As text in a script, the end of another script would end it.
  return outputFiles[0]!.text.replaceAll('</script', '<\\/script');
}
