/** The first sentence of a page in Markdown, before its first part, without links; undefined without one. */
export function firstSentence(page: string): string | undefined {
  const [beginning = ''] = page.split('\n## ');
  const paragraph = beginning.split(/\n\s*\n/).find((block) => /^[A-Z`[]/.test(block.trim()));
  const text = paragraph
    ?.trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text && (/^.*?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
}
