// Options of the code blocks. They are in this file because the OpenAPI plugin replaces those in Astro's.
// Without wrapping, wide blocks become landmarks without a name.
export default { defaultProps: { wrap: true } };
