/** Imports a file as text: docs/decisions/pages.md. */
declare module '*?raw' {
  const text: string;
  export default text;
}
