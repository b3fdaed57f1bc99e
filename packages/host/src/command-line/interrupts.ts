/** Ctrl-C: it aborts the innermost work that runs. */
export class Interrupts {
  readonly #scopes: AbortController[] = [new AbortController()];

  /** Aborted by an interrupt outside of every scope. */
  get signal(): AbortSignal {
    return this.#scopes[0]!.signal;
  }

  /** Aborted by the next interrupt. */
  get innermost(): AbortSignal {
    return this.#scopes.at(-1)!.signal;
  }

  /** Aborts the innermost scope, or all; returns false where that is aborted already. */
  interrupt(which: 'innermost' | 'all'): boolean {
    const scopes = (which === 'all' ? this.#scopes : this.#scopes.slice(-1)).filter(
      ({ signal }) => !signal.aborted,
    );
    for (const scope of scopes) scope.abort(new Interrupted());
    return scopes.length > 0;
  }

  /** Runs work that the next interrupt aborts, and nothing around it. */
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
