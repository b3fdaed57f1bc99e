/** The requests that are being made, some of which may wait for a login. */
export class OpenRequests {
  readonly #left: (reason: unknown) => void;
  #count = 0;

  /** `left` is called when an abort has ended the last request. */
  constructor(left: (reason: unknown) => void) {
    this.#left = left;
  }

  /** Counts a request until it is aborted, or the returned function is called. */
  add(request: AbortSignal): () => void {
    this.#count++;
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      request.removeEventListener('abort', abort);
      this.#count--;
    };
    const abort = () => {
      end();
      if (this.#count === 0) this.#left(request.reason);
    };
    request.addEventListener('abort', abort);
    return end;
  }
}
