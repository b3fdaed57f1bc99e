/** Warns the operator of the process, in a runtime that can. */
export function emitWarning(message: string): void {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  process?.emitWarning?.(message);
}
