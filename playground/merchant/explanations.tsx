/**
 * The parts of the page that explain it, which a real shop would not have. The page loads them
 * after everything that a check needs.
 */
import type { JSX } from 'preact';
import './explanations.css';
import type { Guide } from './guide.ts';
import type { Shop } from './shop.ts';
import { StatusPanel } from './views/status-panel.tsx';
import { TryThis } from './views/try-this.tsx';

export { createGuide } from './guide.ts';
export { Integration } from './views/integration.tsx';

/** The panels beside the shop. */
export function Panels({ shop, guide }: { shop: Shop; guide: Guide | null }): JSX.Element {
  return (
    <>
      <TryThis guide={guide} />
      <StatusPanel shop={shop} guide={guide} />
    </>
  );
}
