/** Gives the page the chosen theme. The build puts this script into the head, so that no other theme flashes. */
import { followTheme } from './theme.ts';

followTheme((theme) => {
  document.documentElement.dataset['scheme'] = theme;
});
