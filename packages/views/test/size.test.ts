import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const bundle = async (program: string) => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: join(import.meta.dirname, '..') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@mcp/source'],
  });
  return outputFiles[0]!.text;
};

test('a view bundles less than 6,000 bytes of this package', async () => {
  const text = await bundle(
    `import { connectView } from './src/browser.ts'; connectView({ name: 'a', version: '1' });`,
  );
  expect(Buffer.byteLength(text)).toBeLessThan(6_000);
  // Hosts forbid code that is made from text.
  expect(text).not.toMatch(/\beval\b|\bFunction\(/);
});

test('with tools for its host, it bundles less than 6,600', async () => {
  const text = await bundle(`export { connectView, viewTools } from './src/browser.ts';`);
  expect(Buffer.byteLength(text)).toBeLessThan(6_600);
});
