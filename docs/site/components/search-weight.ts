/** The generated pages and the changelog. The search shows them below the pages that explain. */
const REFERENCE = /^(?:reference|errors|findings|changelog)\b/;

/** Returns the weight of a page's words in the search. Pagefind's own weight of a text is 1. */
export const toSearchWeight = (id: string, weight = 1): number =>
  REFERENCE.test(id) ? weight / 10 : weight;
