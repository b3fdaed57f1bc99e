/**
 * Returns a page with its parts replaced, each of which is between two comments: one that names the part and
 * the program that writes it, and one that ends it. Throws if the comments are missing.
 */
export function withParts(page: string, program: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((whole, [name, part]) => {
    const [begin, end] = [`<!-- ${name}: written by \`node ${program}\` -->`, `<!-- /${name} -->`];
    const [before, after] = [whole.split(begin)[0]!, whole.split(end)[1]];
    if (!whole.includes(begin) || after === undefined)
      throw new Error(`The page has no lines "${begin}" and "${end}"`);
    return `${before}${begin}\n\n${part}\n\n${end}${after}`;
  }, page);
}
