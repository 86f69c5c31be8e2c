import { type ComponentChild, Fragment, options, render, type VNode } from 'preact';
import { showControls } from '../../../mock-server/words/outside-text.ts';
import { keepFocus } from './keep-focus.ts';

/** The attributes whose text a person sees or hears. */
const TEXT_ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'];

/**
 * Renders a page into its element. Every text of the page shows its control characters, because any text may
 * come from outside: an `externalUserId` with U+202E would otherwise read backwards.
 * The page keeps the focus when the control that has it disappears.
 */
export function renderPage(page: ComponentChild, root: Element | null): void {
  if (!isInstalled) install();
  isInstalled = true;
  if (root) render(page, root);
}

let isInstalled = false;

function install(): void {
  keepFocus();
  const next = options.vnode;
  options.vnode = (node) => {
    if (typeof node.type === 'string' || node.type === Fragment) showControlsOf(node);
    next?.(node);
  };
}

function showControlsOf({ props }: VNode): void {
  const texts: Record<string, unknown> & { children?: unknown } = props;
  texts.children = toShown(texts.children);
  for (const name of TEXT_ATTRIBUTES) {
    if (typeof texts[name] === 'string') texts[name] = showControls(texts[name]);
  }
}

function toShown(children: unknown): unknown {
  if (typeof children === 'string') return showControls(children);
  return Array.isArray(children) ? children.map(toShown) : children;
}
