import { add } from './configure/add.ts';
import { again } from './again/again.ts';
import { call } from './call.ts';
import type { Command } from '../command-line/command.ts';
import { complete } from './complete.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { cost } from './cost/cost.ts';
import { dev } from './dev.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { generate } from './generate.ts';
import { importServers } from './configure/import.ts';
import { info } from './registry/info.ts';
import { inspect } from './inspect.ts';
import { install } from './configure/install.ts';
import { keep } from './keep.ts';
import { list } from './list.ts';
import { load } from './load.ts';
import { log } from './log.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { ping } from './ping.ts';
import { policy } from './policy/policy.ts';
import { prompt } from './prompt.ts';
import { prompts } from './prompts.ts';
import { read } from './read.ts';
import { remove } from './configure/remove.ts';
import { replay } from './replay.ts';
import { resources } from './resources.ts';
import { route } from './route.ts';
import { search } from './registry/search.ts';
import { serve } from './serve.ts';
import { shell } from './shell.ts';
import { show } from './show.ts';
import { skills } from './skills.ts';
import { task } from './task.ts';
import { test } from './test.ts';
import { tools } from './tools.ts';
import { trust } from './trust.ts';
import { types } from './types.ts';
import { watch } from './watch.ts';

/** All commands, in the order of `--help`. If the command line names no command, the first one runs. */
export const commands: readonly Command[] = [
  list,
  tools,
  show,
  call,
  load,
  again,
  resources,
  read,
  watch,
  prompts,
  prompt,
  complete,
  skills,
  task,
  ping,
  doctor,
  cost,
  types,
  generate,
  diff,
  inspect,
  test,
  replay,
  log,
  shell,
  keep,
  route,
  serve,
  policy,
  dev,
  login,
  logout,
  search,
  info,
  add,
  install,
  remove,
  importServers,
  config,
  trust,
  completion,
];
