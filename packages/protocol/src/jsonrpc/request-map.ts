import type { Id } from './message.ts';

const minSlots = 4;
const maxSlots = 1024;

/**
 * The requests that wait for an answer, by their ids. Consecutive integer ids are kept in an array: a `Map`
 * that grows leaves its old tables behind, which keep answered requests in memory until a full garbage
 * collection. With 64 requests at once, this collection takes longer than the requests.
 */
export class RequestMap<Value extends object> {
  /** Empty until the first request waits: most stateless requests are answered without waiting. */
  #ids: (Id | undefined)[] = [];
  #values: (Value | undefined)[] = [];
  /** Requests whose ids are strings, and old requests whose slots were needed for newer ids. */
  #others: Map<Id, Value> | undefined;
  #inSlots = 0;

  get size(): number {
    return this.#inSlots + (this.#others?.size ?? 0);
  }

  has(id: Id): boolean {
    return this.get(id) !== undefined;
  }

  get(id: Id): Value | undefined {
    const slot = this.#slotOf(id);
    return slot >= 0 && this.#ids[slot] === id ? this.#values[slot] : this.#others?.get(id);
  }

  set(id: Id, value: Value): void {
    this.#others?.delete(id);
    if (typeof id !== 'number') return this.#setOther(id, value);
    if (this.#ids.length === 0) this.#grow();
    const slot = this.#slotOf(id);
    const [present, other] = [this.#ids[slot], this.#values[slot]];
    if (present === id || !other) return this.#place(slot, id, value);
    if (this.#ids.length < maxSlots) {
      this.#grow();
      return this.set(id, value);
    }
    this.#setOther(present!, other);
    this.#inSlots--;
    this.#ids[slot] = undefined;
    this.#place(slot, id, value);
  }

  delete(id: Id): void {
    const slot = this.#slotOf(id);
    if (slot < 0 || this.#ids[slot] !== id) return void this.#others?.delete(id);
    this.#ids[slot] = undefined;
    this.#values[slot] = undefined;
    this.#inSlots--;
  }

  /** The entries of the map, in any order. */
  entries(): [Id, Value][] {
    const found: [Id, Value][] = [...(this.#others ?? [])];
    for (const [slot, id] of this.#ids.entries()) if (id !== undefined) found.push([id, this.#values[slot]!]);
    return found;
  }

  /** The slot of an integer id. For a string, or without slots, it is -1, a slot that no id has. */
  #slotOf(id: Id): number {
    const { length } = this.#ids;
    return typeof id === 'number' && length > 0 ? id & (length - 1) : -1;
  }

  #place(slot: number, id: Id, value: Value): void {
    if (this.#ids[slot] === undefined) this.#inSlots++;
    this.#ids[slot] = id;
    this.#values[slot] = value;
  }

  #setOther(id: Id, value: Value): void {
    (this.#others ??= new Map()).set(id, value);
  }

  #grow(): void {
    const [ids, values] = [this.#ids, this.#values];
    const count = Math.max(minSlots, 2 * ids.length);
    this.#ids = emptySlots(count);
    this.#values = emptySlots(count);
    for (const [slot, id] of ids.entries())
      if (id !== undefined) {
        this.#ids[this.#slotOf(id)] = id;
        this.#values[this.#slotOf(id)] = values[slot];
      }
  }
}

function emptySlots<T>(count: number): (T | undefined)[] {
  const slots: (T | undefined)[] = [];
  for (let slot = 0; slot < count; slot++) slots.push(undefined);
  return slots;
}
