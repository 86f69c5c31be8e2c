// Options of the code blocks. They are in this file because the OpenAPI plugin replaces those in
// astro.config.mjs. If `wrap` is off, wide blocks become landmarks without a name.
export default { defaultProps: { wrap: true } };
