// @vitest-environment jsdom
import type { ValidationResult } from 'ofage/server';
import { expect, it } from 'vitest';
import type { Decision } from '../../../playground/shop/api.ts';
import { Conclusion } from '../../../playground/shop/conclusion.tsx';
import { showPage } from '../shared/kit/a-page.tsx';

const returned = { sessionId: 's1', status: 'verified', timestamp: 1 } as const;
const open: Decision = {
  access: false,
  validation: { status: 'pending' } as ValidationResult,
  problem: null,
};

it.each([
  {
    check: 'an open check of the server',
    decision: { ...open, checkUrl: 'https://verify.ofage.example/?sessionId=s1' },
    primary: ['Go back to the check', 'https://verify.ofage.example/?sessionId=s1'],
  },
  {
    check: 'an open check of the browser',
    decision: open,
    primary: ['Back to the shop', 'http://localhost:3000/'],
  },
])('the return page has one primary action for $check', async ({ decision, primary }) => {
  const page = await showPage(
    <Conclusion returned={returned} decision={decision} isInTrouble={false} basket={{}} />,
  );
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.button--primary')];
  expect(links.map(({ textContent, href }) => [textContent, href])).toEqual([primary]);
  expect(page.get('[data-testid=back-to-shop]').textContent).toBe('Back to the shop');
});
