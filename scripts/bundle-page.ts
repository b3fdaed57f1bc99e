import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

/**
 * Bundles an HTML page, with its style sheets and scripts, into one document, because hosts load nothing else
 * for a view. `options` are for esbuild.
 */
export async function bundlePage(file: string, options: BuildOptions = {}): Promise<string> {
  const bundle = async (path: string) => {
    const { outputFiles } = await build({
      entryPoints: [join(dirname(file), path)],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome123', 'firefox125', 'safari17.5'],
      ...options,
      write: false,
    });
    // "</script" or "</style" in the code would end it.
    return outputFiles[0]!.text.trim().replaceAll(/<\/(?=script|style)/gi, '<\\/');
  };
  let page = (await readFile(file, 'utf8')).replaceAll(/\n\s+/g, '\n');
  for (const [tag, path = ''] of page.matchAll(/<link rel="stylesheet" href="([^"]+)" \/>/g)) {
    const style = await bundle(path);
    page = page.replace(tag, () => `<style>${style}</style>`);
  }
  for (const [tag, path = ''] of page.matchAll(/<script type="module" src="([^"]+)"><\/script>/g)) {
    const script = await bundle(path);
    page = page.replace(tag, () => `<script type="module">${script}</script>`);
  }
  return page;
}
