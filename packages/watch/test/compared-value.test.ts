import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { ComparedValue, type ComparedValueOptions } from '../src/index.ts';
import { Workspace } from './workspace.ts';

describe('ComparedValue', () => {
  test('notifies of a value that differs, and not of one that is the same', async () => {
    using file = new ComparedFile();
    await file.value.start();

    file.write('two');
    await file.reads(2);
    file.write('two');
    await file.reads(3);
    file.write('three');
    await file.reads(4);

    expect(file.changes).toEqual(['two', 'three']);
  });

  test('ignores a trigger before start, whose read comes later', async () => {
    using file = new ComparedFile();
    file.value.trigger();
    await file.value.start();

    expect(file.readCount).toBe(1);
    expect(file.changes).toEqual([]);
  });

  test('reads again after a trigger during the first read', async () => {
    using file = new ComparedFile();
    const started = file.value.start();
    file.write('two');
    await started;
    await file.reads(2);

    expect(file.lastRead).toBe('two');
  });

  test('reads once more, not for each trigger, when triggered during a read', async () => {
    using file = new ComparedFile({
      onRead: () => {
        if (file.readCount !== 2) return;
        for (let index = 0; index < 10; index++) file.value.trigger();
      },
    });
    await file.value.start();

    file.write('two');
    await file.reads(3);
    await file.idle();

    expect(file.readCount).toBe(3);
    expect(file.changes).toEqual(['two']);
  });

  test('does not read while a promise of changed is pending', async () => {
    let finish = () => {};
    using file = new ComparedFile({ changed: () => new Promise<void>((resolve) => (finish = resolve)) });
    await file.value.start();

    file.write('two');
    await vi.waitFor(() => expect(file.changes).toEqual(['two']));
    file.write('three');
    await file.idle();
    expect(file.readCount).toBe(2);

    finish();
    await vi.waitFor(() => expect(file.changes).toEqual(['two', 'three']));
  });

  test('does not notify after stop, even of a value that is being read', async () => {
    using file = new ComparedFile();
    await file.value.start();

    file.write('two');
    file.value.stop();
    await file.reads(2);
    file.value.trigger();
    await file.idle();

    expect(file.readCount).toBe(2);
    expect(file.changes).toEqual([]);
  });

  test('does not read when it is stopped before start', async () => {
    using file = new ComparedFile();
    file.value.stop();
    await file.value.start();

    expect(file.readCount).toBe(0);
  });

  test('rejects start with the error of the first read', async () => {
    using file = new ComparedFile();
    rmSync(file.path);

    await expect(file.value.start()).rejects.toThrow('ENOENT');
  });

  test('compares an error of a later read like a value', async () => {
    using file = new ComparedFile();
    await file.value.start();

    rmSync(file.path);
    file.value.trigger();
    await vi.waitFor(() => expect(file.changes).toHaveLength(1));
    file.value.trigger();
    await file.reads(3);
    file.write('one');
    await vi.waitFor(() => expect(file.changes).toHaveLength(2));
  });

  test('keeps the last value where readFailed returns undefined', async () => {
    const errors: unknown[] = [];
    using file = new ComparedFile({ readFailed: (error) => void errors.push(error) });
    await file.value.start();

    rmSync(file.path);
    file.value.trigger();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    file.write('one');
    await file.reads(3);
    await file.idle();

    expect(file.changes).toEqual([]);
  });

  test('notifies of the first value that is known after an unknown one', async () => {
    const values = [undefined, 'known'];
    const changed = vi.fn();
    const compared = new ComparedValue({ read: async () => values.shift(), changed });
    await compared.start();

    compared.trigger();
    await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  });

  test.each<[string, () => void | Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('of changed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('of changed'))],
  ])('goes on after a changed that %s, and reports its error', async (_, changed) => {
    const errors: unknown[] = [];
    using file = new ComparedFile({ changed, changeFailed: (error) => void errors.push(error) });
    await file.value.start();

    file.write('two');
    await vi.waitFor(() => expect(errors).toEqual([new Error('of changed')]));
    file.write('three');
    await vi.waitFor(() => expect(errors).toHaveLength(2));
  });
});

describe('ComparedValue with debounce', () => {
  test('joins a burst of triggers into one read', async () => {
    using file = new ComparedFile({ debounce: { settleMs: 30, maxWaitMs: 10_000 } });
    await file.value.start();

    for (let write = 0; write < 100; write++) file.write(`write ${write}`);
    await vi.waitFor(() => expect(file.changes).toEqual(['write 99']));
    expect(file.readCount).toBe(2);
  });

  test('reads at the latest after maxWaitMs while triggers go on', async () => {
    using file = new ComparedFile({ debounce: { settleMs: 40, maxWaitMs: 80 } });
    await file.value.start();

    let write = 0;
    await vi.waitFor(
      () => {
        file.write(`write ${write++}`);
        expect(file.changes.length).toBeGreaterThan(2);
      },
      { timeout: 8000, interval: 5 },
    );
    expect(file.changes.length).toBeLessThan(write);
  });

  test('is not prolonged by triggers that are uncertain', async () => {
    using file = new ComparedFile({ debounce: { settleMs: 50, maxWaitMs: 1_000_000 } });
    await file.value.start();

    file.write('two');
    const polling = setInterval(() => file.value.trigger({ certain: false }), 5);
    await vi.waitFor(() => expect(file.changes).toEqual(['two']), { timeout: 8000 });
    clearInterval(polling);
  });

  test('reads a value again that was read during a change', async () => {
    const halves: string[] = [];
    using file = new ComparedFile({
      debounce: { settleMs: 10, maxWaitMs: 10_000 },
      onRead: (text) => {
        halves.push(text);
        if (text === 'half') file.write('whole');
      },
    });
    await file.value.start();

    file.write('half');
    await vi.waitFor(() => expect(file.changes).toHaveLength(1));

    expect(halves).toEqual(['one', 'half', 'whole']);
    expect(file.changes).toEqual(['whole']);
  });

  test('does not read while a change is half done', async () => {
    let busy = true;
    const asked = vi.fn(() => busy);
    using file = new ComparedFile({ debounce: { settleMs: 5, maxWaitMs: 1_000_000 }, isBusy: asked });
    await file.value.start();

    file.write('two');
    await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2));
    expect(file.readCount).toBe(1);

    busy = false;
    await vi.waitFor(() => expect(file.changes).toEqual(['two']));
  });

  test('reads after maxWaitMs although it stays busy', async () => {
    using file = new ComparedFile({ debounce: { settleMs: 5, maxWaitMs: 50 }, isBusy: () => true });
    await file.value.start();

    file.write('two');
    await vi.waitFor(() => expect(file.changes).toEqual(['two']));
  });
});

interface ComparedFileOptions extends Partial<ComparedValueOptions> {
  onRead?: (text: string) => void;
}

/** A file whose text is a compared value, and the values that were read and notified. */
class ComparedFile {
  readonly #workspace = new Workspace();
  readonly path = this.#workspace.path('file');
  readonly value: ComparedValue;
  readonly changes: string[] = [];
  readCount = 0;
  lastRead: string | undefined;

  constructor({ onRead, changed, ...options }: ComparedFileOptions = {}) {
    writeFileSync(this.path, 'one');
    this.value = new ComparedValue({
      ...options,
      read: async () => {
        this.readCount++;
        this.lastRead = await readFile(this.path, 'utf8');
        onRead?.(this.lastRead);
        return this.lastRead;
      },
      changed: () => {
        this.changes.push(this.#text());
        return changed?.();
      },
    });
  }

  write(text: string) {
    writeFileSync(this.path, text);
    this.value.trigger();
  }

  /** Resolves once a number of reads have begun. */
  async reads(count: number) {
    await vi.waitFor(() => expect(this.readCount).toBe(count));
    await this.idle();
  }

  /** Resolves after the file system has answered a read that began later. */
  async idle() {
    for (let index = 0; index < 5; index++) await readFile(this.path, 'utf8').catch(() => {});
  }

  #text() {
    try {
      return readFileSync(this.path, 'utf8');
    } catch {
      return 'missing';
    }
  }

  [Symbol.dispose]() {
    this.value.stop();
    this.#workspace[Symbol.dispose]();
  }
}
