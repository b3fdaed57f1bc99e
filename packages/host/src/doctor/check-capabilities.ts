import { estimateTokens } from './estimate-tokens.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning } = findingsOf('capabilities');

const maxInstructionTokens = 2_000;

/** Reports what a server declares: its name, its capabilities and its instructions for models. */
export function checkCapabilities({ client }: Session): Finding[] {
  const { capabilities, serverInfo, instructions, revision } = client;
  const names = Object.keys(capabilities);
  const called = serverInfo ? `${serverInfo.name} ${serverInfo.version}` : 'without a name';
  const findings = [
    ok(`${called}, ${revision}: ${names.length > 0 ? names.join(', ') : 'no capabilities'}`, {
      capabilities,
      serverInfo,
      revision,
    }),
  ];
  if (instructions === undefined) return findings;
  const tokens = estimateTokens(instructions);
  const message = `instructions of about ${tokens} tokens`;
  const data = { instructionsBytes: Buffer.byteLength(instructions), instructionsTokens: tokens };
  findings.push(
    tokens > maxInstructionTokens
      ? warning(
          `${message}, which every conversation carries`,
          'shorten them: details of a tool belong into its description',
          data,
        )
      : ok(message, data),
  );
  return findings;
}
