/** The frame of every page: its head, its bar, its way back. */
import type { Child } from 'hono/jsx';
import { raw } from 'hono/html';
import { htmlOf } from './html-of.ts';
import { Prose, WindowTitle } from './text.tsx';

export interface Crumb {
  readonly text: string;
  /** Left out for the page itself. */
  readonly href?: string | undefined;
}

/** Style sheet and script: addresses on the service, or texts that the page carries along. */
export type PageAssets =
  | { readonly styleHref: string; readonly scriptHref: string; readonly iconHref: string }
  | { readonly style: string; readonly policy: string; readonly generator: string };

export interface PageDocument {
  /** Of the window. */
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly assets: PageAssets;
  /** Who looks; left out where nobody is signed in. */
  readonly user?: { readonly name: string; readonly formToken: string } | undefined;
  /** The address that tells what is new on the page (server-sent events). */
  readonly live?: string | undefined;
  readonly body: Child;
}

/** The whole page as HTML. Texts are escaped wherever they stand. */
export function pageDocument(page: PageDocument): string {
  return `<!doctype html>\n${htmlOf(<Html {...page} />)}\n`;
}

const Html = (page: PageDocument) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <WindowTitle text={page.title} />
      <Assets {...page} />
    </head>
    <body data-live={page.live}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Bar {...page} />
      <main id="content" tabindex={-1}>
        {page.body}
      </main>
    </body>
  </html>
);

const Assets = ({ assets }: PageDocument) =>
  'style' in assets ? (
    <>
      <meta http-equiv="Content-Security-Policy" content={assets.policy} />
      <meta name="generator" content={assets.generator} />
      <style>{raw(assets.style)}</style>
    </>
  ) : (
    <>
      <link rel="icon" href={assets.iconHref} />
      <link rel="stylesheet" href={assets.styleHref} />
      <script src={assets.scriptHref} defer />
    </>
  );

const Bar = ({ crumbs, user }: PageDocument) => (
  <header class="bar">
    <nav aria-label="Where you are">
      <ol class="crumbs">
        {crumbs.map(({ text, href }) => (
          <li>
            {href === undefined ? (
              <span aria-current="page">
                <Prose text={text} />
              </span>
            ) : (
              <a href={href}>
                <Prose text={text} />
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
    {user && (
      <form class="who" method="post" action="/-/sign-out">
        <span>{user.name}</span>
        <input type="hidden" name="form_token" value={user.formToken} />
        <button>Sign out</button>
      </form>
    )}
  </header>
);
