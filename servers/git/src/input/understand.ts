import { renameArguments } from '@mcp/protocol';
import * as z from 'zod';

type JsonObject = Parameters<typeof renameArguments>[0];

/**
 * For each alias that models use, the arguments that they may mean. The first of these that the tool has is
 * used.
 */
const meanings: { readonly [alias: string]: readonly string[] } = {
  repo: ['repo_path'],
  repository: ['repo_path'],
  cwd: ['repo_path'],
  working_directory: ['repo_path'],
  path: ['paths', 'files'],
  paths: ['files', 'path'],
  file: ['path', 'paths', 'files'],
  files: ['paths', 'path'],
  file_path: ['path', 'paths', 'files'],
  file_paths: ['paths', 'files'],
  filename: ['path', 'paths', 'files'],
  branch: ['branch_name', 'revision'],
  name: ['branch_name'],
  new_branch: ['branch_name'],
  start_point: ['base_branch'],
  commit: ['revision'],
  commit_hash: ['revision'],
  hash: ['revision', 'commit'],
  sha: ['revision', 'commit'],
  ref: ['revision', 'branch_name', 'target'],
  rev: ['revision', 'target'],
  object: ['revision'],
  revision: ['target'],
  range: ['target', 'revision'],
  limit: ['max_count'],
  n: ['max_count'],
  count: ['max_count'],
  since: ['start_timestamp'],
  after: ['start_timestamp'],
  until: ['end_timestamp'],
  before: ['end_timestamp'],
  pickaxe: ['changed_text'],
  query: ['pattern', 'grep'],
  '-i': ['ignore_case'],
  case_insensitive: ['ignore_case'],
  regex: ['regexp'],
  is_regex: ['regexp'],
  line_start: ['start_line'],
  line_end: ['end_line'],
  msg: ['message'],
  m: ['message'],
  context: ['context_lines'],
  stash_index: ['index'],
  untracked: ['include_untracked'],
  operation: ['action'],
  mode: ['action'],
  subcommand: ['action'],
  hunks: ['lines'],
  strategy: ['how'],
  verdict: ['action'],
  good_commit: ['good'],
  bad_commit: ['bad'],
  onto: ['base'],
};

/** The actions that models mean by other words. */
const actions: { readonly [said: string]: string } = {
  push: 'save',
  store: 'save',
  cherry_pick: 'cherry-pick',
  cherrypick: 'cherry-pick',
  ls: 'list',
  delete: 'remove',
};

/**
 * Renames aliases to the names in the tool's schema, and turns a path into a list of paths or the reverse.
 */
export function understands(shape: z.ZodRawShape): (args: JsonObject) => JsonObject {
  const accepts = (name: string, value: unknown) =>
    shape[name] !== undefined && z.safeParse(shape[name], value).success;
  const isList = (name: string) => accepts(name, ['a']);
  const takesOne = (name: string) => accepts(name, 'a');
  return (args) => {
    const aliases: { [alias: string]: string } = {};
    for (const name of Object.keys(args).filter((each) => !(each in shape))) {
      const listed = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const meant = [listed, ...(meanings[listed] ?? [])].find((each) => each in shape);
      if (meant !== undefined) aliases[name] = meant;
    }
    const renamed = new Map(Object.entries(renameArguments(args, aliases)));
    for (const [name, value] of renamed) {
      if (typeof value === 'string' && !takesOne(name) && isList(name)) renamed.set(name, [value]);
      else if (Array.isArray(value) && value.length === 1 && takesOne(name) && !isList(name))
        renamed.set(name, value[0]);
    }
    const action = renamed.get('action');
    if (typeof action === 'string' && !accepts('action', action)) {
      const meant = actions[action];
      if (meant !== undefined && accepts('action', meant)) renamed.set('action', meant);
    }
    return Object.fromEntries(renamed);
  };
}
