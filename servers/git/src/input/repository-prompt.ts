import {
  type Call,
  type CompletionCall,
  definePrompt,
  embeddedResource,
  type PromptMessage,
  textResourceContents,
  userMessage,
} from '@mcp/protocol';
import * as z from 'zod';
import { NotFoundError, type Repository, withNearestNames } from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { withRemedy } from './remedy.ts';
import { completeRoot, repositoryArgument } from './repository-argument.ts';
import { uriOf } from './repository-uri.ts';

interface RepositoryPromptOptions {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The argument of the prompt, in addition to the repository. */
  readonly argument?: {
    readonly name: string;
    readonly schema: z.ZodType<string | undefined>;
    readonly complete: (repository: Repository, typed: string) => Promise<readonly string[]>;
  };
  /** Returns the messages, or the text of the only message of a prompt without an attachment. */
  readonly run: (repository: Repository, value: string) => Promise<PromptMessage[] | string>;
}

/** Defines a prompt about a repository; the message of a `NotFoundError` becomes the prompt. */
export function repositoryPrompt({ argument, run, ...description }: RepositoryPromptOptions) {
  return definePrompt({
    ...description,
    inputSchema: z.object({ ...repositoryArgument, ...(argument && { [argument.name]: argument.schema }) }),
    complete: {
      repo_path: (typed: string, { context }: Call<Git>) => completeRoot(typed, context),
      ...(argument && {
        [argument.name]: (typed: string, { context, arguments: { repo_path } }: CompletionCall<Git>) =>
          argument.complete(context.repositories.at(repo_path), typed),
      }),
    },
    async run(args: { readonly [name: string]: string | undefined }, call: Call<Git>) {
      const select = () => call.context.repositories.at(args['repo_path'], call);
      try {
        return await run(select(), (argument && args[argument.name]) ?? '');
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw withRemedy(error);
        return `${(await withNearestNames(select(), error)).message}.`;
      }
    },
  });
}

/** A message with a part of the repository as a resource; the URI of the resource ends with `place`. */
export function attached(
  repository: Repository,
  place: string,
  text: string,
  mimeType: string,
): PromptMessage {
  return userMessage(embeddedResource(textResourceContents(uriOf(repository, place), text, mimeType)));
}
