/** Milliseconds that an item waits for the items before it. */
const maxWaitMs = 1_000;

/**
 * Prints the added items in the order of `names`: an item waits for the items before it. A second after this
 * call, all waiting items are printed, and later items no longer wait.
 */
export function inOrder<T extends { readonly server: string }>(
  names: readonly string[],
  print: (item: T) => void,
) {
  const waiting = new Map<string, T>();
  let next = 0;
  let waits = true;
  const end = () => {
    clearTimeout(timer);
    waits = false;
    for (const item of waiting.values()) print(item);
    waiting.clear();
  };
  const timer = setTimeout(end, maxWaitMs);
  const add = (item: T) => {
    if (!waits) return print(item);
    waiting.set(item.server, item);
    let ready = waiting.get(names[next] ?? '');
    while (ready) {
      waiting.delete(ready.server);
      print(ready);
      ready = waiting.get(names[++next] ?? '');
    }
  };
  return { add, [Symbol.dispose]: end };
}
