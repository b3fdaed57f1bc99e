import type { Observer } from './observer.ts';

/** An observer that tells two of them: the first one whole, the second one of received requests alone. */
export function bothObservers(first: Observer | undefined, second: Pick<Observer, 'received'>): Observer {
  return {
    received(request) {
      const [one, other] = [first?.received(request), second.received(request)];
      return {
        run: (work) => (one ? one.run(work) : work()),
        ended(outcome) {
          one?.ended(outcome);
          other.ended(outcome);
        },
      };
    },
    sent: (request) => first?.sent(request) ?? { run: (work) => work(), ended() {}, meta: undefined },
    apart: (work) => (first ? first.apart(work) : work()),
  };
}
