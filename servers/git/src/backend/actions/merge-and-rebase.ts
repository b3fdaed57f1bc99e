import { integrate, step, type Integration, type Outcome, type Step } from '../commands/integrate.ts';
import { Stopped } from '../process/git-process.ts';
import { operationIn, refuseAutostash, refusePrograms } from '../queries/in-progress-operation.ts';
import type { Caller, Repository } from '../repository.ts';
import { readState, type State } from '../queries/integration-state.ts';

export interface Integrated extends State {
  readonly outcome: Outcome;
}

/** Brings commits in. What is cancelled half-way is taken back; conflicts stay, to be resolved. */
export function begin(
  repository: Repository,
  how: Integration,
  revision: string,
  caller: Caller & { fastForward?: 'only' | 'never' | undefined },
): Promise<Integrated> {
  return repository.change(async () => {
    const layout = await repository.layout();
    const under = operationIn(layout);
    if (under && under !== 'bisect') throw new Error(`A ${under} is in progress: continue or abort it first`);
    const command = integrate(how, revision, {
      trusted: repository.trusted,
      fastForward: caller.fastForward,
    });
    try {
      const outcome = await repository.now(command, caller);
      return { outcome, ...(await readState(repository)) };
    } catch (error) {
      if (error instanceof Stopped && operationIn(layout) === how) await repository.now(step(how, 'abort'));
      throw error;
    }
  });
}

/** Goes on with what has stopped, leaves a commit out, or gives it all up. */
export function goOn(repository: Repository, what: Step, caller: Caller): Promise<Integrated> {
  return repository.change(async () => {
    const layout = await repository.layout();
    const under = operationIn(layout);
    if (!under || under === 'bisect' || under === 'apply') {
      throw new Error(`Nothing to ${what}: no merge, rebase, cherry-pick or revert is in progress`);
    }
    if (what === 'skip' && under === 'merge')
      throw new Error('A merge has nothing to skip: continue or abort it');
    if (!repository.trusted) {
      if (what !== 'abort') refusePrograms(layout);
      refuseAutostash(layout, await repository.settings());
    }
    const outcome = await repository.now(step(under, what), caller);
    return { outcome, ...(await readState(repository)) };
  });
}
