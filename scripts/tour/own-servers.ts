import { assertStatus, command, type Ended, Mcp, say, title } from './stage.ts';

/** The servers of this user, with what their tools cost; if that is not known, also those of the tour. */
export async function showOwnServers(sample: Mcp): Promise<void> {
  title('Your own servers, and what their tools cost; none is started');
  const own = await new Mcp().run([]);
  command('mcp');
  say(own.stdout + own.stderr);
  // Node compiles a program at its first start only; what follows is a later one.
  const count = ['cost', '--start'];
  assertStatus(count, await sample.run(count));
  const headline = headlineOf(own);
  if (headline.includes('in each request')) return;
  const isNone = !/^\d+ servers? in /.test(headline);
  title(`${isNone ? 'There are none here' : 'They are not counted yet'}: the servers of this tour`);
  command('mcp');
  say(headlineOf(await sample.run([])));
}

function headlineOf({ stdout }: Ended): string {
  return stdout.split('\n', 1)[0]!;
}
