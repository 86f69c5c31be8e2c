/** The panels that explain the shop's page. The page loads them after everything that a check needs. */
import './panels.css';

export { createGuide } from './guide.ts';
export { StatusPanel } from './status-panel.tsx';
export { TryThis } from './try-this.tsx';
