import { VERSION } from "#lib/config.ts";

/** The end of every page. */
export function Footer() {
  return (
    <footer className="mt-auto border-line border-t">
      <div className="mx-auto flex w-full max-w-page flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-soft text-sm sm:px-6">
        <span className="mr-auto">Platen {VERSION}</span>
        <a className="link" href="/api/service/openapi.json">
          OpenAPI document
        </a>
        <a className="link" href="/api/service/templates">
          Templates as JSON
        </a>
      </div>
    </footer>
  );
}
