import { argv } from '../../argv.ts';
import { minSimilarity, similarityTo } from '@mcp/kit';
import type { Command, OutputReader } from '../../command.ts';
import { recordReader } from '../../parse/record-reader.ts';
import { textOf } from '../../safe-text.ts';
import { shortRefName } from './refs.ts';

const maxSimilar = 3;
/** Maximum number of names that are compared with the wanted name. */
const maxCompared = 200_000;

/** The branches, tags or remote branches whose names are most similar to `wanted`; at most 3. */
export function similarRefs(
  wanted: string,
  prefixes: readonly string[],
  shorten = shortRefName,
): Command<string[]> {
  return {
    args: argv`for-each-ref --format=%(refname) ${prefixes}`,
    reader: () => similarReader(wanted, '\n', shorten),
  };
}

/** At most 3 branches of one remote that are similar to `wanted`, without the name of the remote. */
export function similarOnRemote(wanted: string, remote: string): Command<string[]> {
  const prefix = `refs/remotes/${remote}/`;
  return similarRefs(wanted, [prefix], (name) => name.slice(prefix.length));
}

/** Returns at most 3 similar files of a revision or, without a revision, of the work tree. */
export function similarFiles(wanted: string, revision: string | undefined): Command<string[]> {
  return {
    args:
      revision === undefined
        ? argv`ls-files -z --cached --others --exclude-standard --deduplicate`
        : argv`ls-tree -r -z --name-only --full-tree ${revision}`,
    reader: () => similarReader(wanted, '\0'),
  };
}

/** Reads names, each followed by `end`, such as a line break. Keeps the names most similar to `wanted`. */
function similarReader(
  wanted: string,
  end: string,
  shorten = (name: string) => name,
): OutputReader<string[]> {
  const whole = similarityTo(wanted);
  const last = similarityTo(lastPart(wanted));
  const found: { readonly name: string; readonly similarity: number }[] = [];
  let compared = 0;
  const compare = (name: string) => {
    const similarity = Math.max(whole(name), 0.95 * last(lastPart(name)));
    const least = found.length < maxSimilar ? minSimilarity : found.at(-1)!.similarity;
    if (similarity < least || name === wanted || found.some((each) => each.name === name)) return;
    found.push({ name, similarity });
    found.sort((one, other) => other.similarity - one.similarity).splice(maxSimilar);
  };
  return recordReader({
    endOf: (bytes, start) => bytes.indexOf(end, start) + 1 || -1,
    add(record) {
      compare(shorten(textOf(record.subarray(0, -1))));
      return ++compared < maxCompared;
    },
    result: () => found.map(({ name }) => name),
  });
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
