/** Imports a file as text (see docs/decisions/pages.md). */
declare module '*?raw' {
  const text: string;
  export default text;
}
