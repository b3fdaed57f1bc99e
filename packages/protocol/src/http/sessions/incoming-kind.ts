import type { Incoming, Response } from '../../jsonrpc/message.ts';

/** Whether a body expects an answer, expects none, or is a malformed response. */
export function kindOf(incoming: Incoming): 'asking' | 'telling' | 'malformed' {
  switch (incoming.kind) {
    case 'batch': {
      const { messages } = incoming;
      return messages.length > 0 && messages.every((each) => kindOf(each) !== 'asking')
        ? 'telling'
        : 'asking';
    }
    case 'notification':
      return 'telling';
    case 'response':
      return incoming.malformed ? 'malformed' : 'telling';
    default:
      return 'asking';
  }
}

/** The responses in a body, without malformed ones. */
export function responsesIn(incoming: Incoming): readonly Response[] {
  if (incoming.kind === 'batch') return incoming.messages.flatMap((each) => responsesIn(each));
  return incoming.kind === 'response' && !incoming.malformed ? [incoming.response] : [];
}
