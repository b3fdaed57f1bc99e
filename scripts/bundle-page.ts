import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

/** What is around the content of a page, which has a title, and `style.css` and `main.ts` beside it. */
const documentOf = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
${title}
<link rel="stylesheet" href="style.css" />
</head>
<body>
${content.trim()}
<script type="module" src="main.ts"></script>
</body>
</html>
`;

/**
 * Bundles an HTML page, with its style sheets and scripts, into one document, because hosts load nothing else
 * for a view. A page that begins with its title is the content of a document. `options` are for esbuild.
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
  const source = await readFile(file, 'utf8');
  const [, title, content] = /^(<title>.*<\/title>)(.*)$/s.exec(source) ?? [];
  let page = (title ? documentOf(title, content!) : source).replaceAll(/\n\s+/g, '\n');
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
