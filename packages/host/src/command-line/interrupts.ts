/** Handles Ctrl-C. Parts of the work run in nested scopes, of which Ctrl-C aborts only the innermost. */
export class Interrupts {
  readonly #scopes: AbortController[] = [new AbortController()];

  /** The signal of the whole command: aborts on Ctrl-C outside of every scope, and on `interrupt('all')`. */
  get signal(): AbortSignal {
    return this.#scopes[0]!.signal;
  }

  /** The signal of the innermost scope, which aborts on the next Ctrl-C. */
  get innermost(): AbortSignal {
    return this.#scopes.at(-1)!.signal;
  }

  /** Aborts the innermost scope, or all scopes; returns false if they were aborted already. */
  interrupt(which: 'innermost' | 'all'): boolean {
    const scopes = (which === 'all' ? this.#scopes : this.#scopes.slice(-1)).filter(
      ({ signal }) => !signal.aborted,
    );
    for (const scope of scopes) scope.abort(new Interrupted());
    return scopes.length > 0;
  }

  /** Runs work in a scope of its own: Ctrl-C then aborts this work and nothing else. */
  async scope<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const scope = new AbortController();
    this.#scopes.push(scope);
    try {
      return await work(scope.signal);
    } finally {
      this.#scopes.splice(this.#scopes.indexOf(scope), 1);
    }
  }
}

export class Interrupted extends Error {
  override readonly name = 'AbortError';

  constructor() {
    super('Interrupted');
  }
}
