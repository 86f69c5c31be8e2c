/** The address of the compressed service of the static playground. vite.config.ts creates it. */
declare module 'virtual:packed-service' {
  const url: string;
  export default url;
}
