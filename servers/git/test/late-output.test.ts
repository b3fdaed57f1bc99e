import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A git that writes its status after it has exited. */
const late = `case "$*" in *status*)
  parent=$$
  (while kill -0 $parent 2>/dev/null; do :; done; exec "$git" "$@") &
  exit 0;;
esac`;

test('output that a busy server reads late is complete', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ environment: { PATH: workspace.wrapGit(late) } });
  using _busy = new BusyAfterExit();
  expect(await workspace.callText(client, 'git_status')).toContain('On main');
});

/** Keeps this process from reading for longer than it waits for late output, after a status has exited. */
class BusyAfterExit implements Disposable {
  readonly #onStart = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    child.once('exit', () => {
      if (!child.spawnargs.includes('status')) return;
      process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500));
    });
  };

  constructor() {
    subscribe('child_process', this.#onStart);
  }

  [Symbol.dispose](): void {
    unsubscribe('child_process', this.#onStart);
  }
}
