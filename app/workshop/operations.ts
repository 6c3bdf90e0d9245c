import { createHash } from "node:crypto";
import { z } from "zod";
import { inspector } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { countNotices } from "#lib/notices/counted-notices.ts";
import { templateNotices } from "#lib/notices/template-notices.ts";
import { faultyTemplates } from "#lib/templates/faults/faulty-templates.ts";
import { servedState } from "#lib/templates/registry.ts";
import { requireLoopback } from "./loopback.ts";
import { readSources, saveSource } from "./source-files.ts";

const SourceFile = z.object({ name: z.string(), text: z.string(), version: z.string() });

const Fault = z.object({ place: z.string(), reason: z.string(), source: z.string().optional() });

export const Sources = z.object({ files: z.array(SourceFile), faults: z.array(Fault) });

const SaveResult = z.object({
  status: z.enum(["saved", "changed"]),
  file: SourceFile,
  faults: z.array(Fault),
});

/** JSON escapes a character in up to six bytes. */
const SAVE_LIMIT_BYTES = 6_100_000;

/** Only pages of this origin, and an administrator where there are accounts. */
const author = { ...inspector, sameOrigin: true } as const;

async function faultsOf(slug: string): Promise<z.output<typeof Fault>[]> {
  return (await faultyTemplates()).find((faulty) => faulty.slug === slug)?.faults ?? [];
}

const FILES_PATH = "/api/workshop/files/{slug}";

export const getSources = operation({
  method: "GET",
  path: FILES_PATH,
  operationId: "getSources",
  summary: "Read the files of a template, and their faults",
  tag: null,
  auth: author,
  hostCheck: "always",
  returns: Sources,
  handle: async ({ params, received }) => {
    requireLoopback(received);
    return { files: await readSources(params.slug), faults: await faultsOf(params.slug) };
  },
});

export const postSource = operation({
  method: "POST",
  path: FILES_PATH,
  operationId: "postSource",
  summary: "Write a file of a template, unless it has changed on disk",
  tag: null,
  auth: author,
  hostCheck: "always",
  body: z.strictObject({ name: z.string(), text: z.string(), version: z.string() }),
  bodyLimitBytes: SAVE_LIMIT_BYTES,
  returns: SaveResult,
  handle: async ({ params, body, received }) => {
    requireLoopback(received);
    const saved = await saveSource({ slug: params.slug, ...body });
    return { ...saved, faults: await faultsOf(params.slug) };
  },
});

export const getNotices = operation({
  method: "GET",
  path: "/api/workshop/notices/{slug}",
  operationId: "getNotices",
  summary: "Find what has no effect in the files of a template",
  tag: null,
  auth: inspector,
  hostCheck: "always",
  returns: z.array(Fault),
  handle: async ({ params, received }) => {
    requireLoopback(received);
    const notices = await templateNotices(params.slug);
    return notices.map(({ file, line, reason }) => ({ place: `${file}:${line}`, reason }));
  },
});

export const getNoticeCounts = operation({
  method: "GET",
  path: "/api/workshop/notices",
  operationId: "getNoticeCounts",
  summary: "Count what has no effect in the files of each template, without drawing one",
  tag: null,
  auth: inspector,
  hostCheck: "always",
  returns: z.array(z.object({ slug: z.string(), count: z.int(), isDrawn: z.boolean() })),
  handle: async ({ received }) => {
    requireLoopback(received);
    return await countNotices();
  },
});

/** How often the dates of the files are read while a page waits for changes. They are read where no events are, as on mounts. */
const WATCH_INTERVAL_MS = 250;

/** Server-sent events with the state of the templates, at once and after each change, until the client leaves. */
function stateStream(signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    clearInterval(timer);
  };
  return new ReadableStream({
    start(controller) {
      let sent: string | undefined;
      const look = () => {
        let state: string;
        try {
          // The state names folders of this machine, and other machines may follow it.
          state = createHash("sha256").update(servedState()).digest("base64url");
        } catch {
          // A file vanished while its folder was read, or the folder is being replaced.
          return;
        }
        if (state === sent) return;
        sent = state;
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(state)}\n\n`));
      };
      look();
      timer = setInterval(look, WATCH_INTERVAL_MS);
      signal.addEventListener("abort", () => {
        // A stream that its reader has cancelled cannot be closed.
        if (!hasEnded) controller.close();
        end();
      });
    },
    cancel: end,
  });
}

export const watchTemplates = operation({
  method: "GET",
  path: "/api/workshop/changes",
  operationId: "watchTemplates",
  summary: "Follow changes of the files of templates",
  tag: null,
  auth: inspector,
  hostCheck: "always",
  handle: ({ signal }) =>
    new Response(stateStream(signal), {
      headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
    }),
});
