import type { IntegrationOptions } from '../options.ts';
import { esModule, reactComponent, scriptTag } from './client-code.ts';
import {
  reactServerStart,
  returnPage,
  server,
  serverStart,
  serverStartPage,
} from './server-code.ts';
import type { SnippetFacts } from './target.ts';

export const SNIPPETS = [
  { id: 'script', name: 'Script tag', language: 'html' },
  { id: 'npm', name: 'npm', language: 'js' },
  { id: 'typescript', name: 'TypeScript', language: 'ts' },
  { id: 'react', name: 'React', language: 'tsx' },
  { id: 'return', name: 'Return page', language: 'html' },
  { id: 'server', name: 'Server', language: 'ts' },
] as const;

export type SnippetId = (typeof SNIPPETS)[number]['id'];

/** Returns the integration code that corresponds to the options. */
export function toSnippet(id: SnippetId, options: IntegrationOptions, facts: SnippetFacts): string {
  const isServer = options.mode === 'server';
  switch (id) {
    case 'script':
      return isServer ? serverStartPage(options) : scriptTag(options, facts);
    case 'npm':
      return isServer ? serverStart(options, false) : esModule(options, facts, false);
    case 'typescript':
      return isServer ? serverStart(options, true) : esModule(options, facts, true);
    case 'react':
      return isServer ? reactServerStart(options) : reactComponent(options, facts);
    case 'return':
      return returnPage(facts);
    case 'server':
      return server(options, facts);
  }
}
