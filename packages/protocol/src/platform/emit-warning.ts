/** Emits a warning of the process, which the operator sees; does nothing in a runtime without `process`. */
export function emitWarning(message: string): void {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  process?.emitWarning?.(message);
}
