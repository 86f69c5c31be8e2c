/** The address of the compressed service of the static playground. static-build.ts creates it. */
declare module 'virtual:packed-service' {
  const url: string;
  export default url;
}
