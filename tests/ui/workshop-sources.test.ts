import { expect, test } from "vitest";
import {
  dirtyNames,
  keptDrafts,
  reduceSources,
  type SourcesEvent,
  startSources,
} from "../../app/workshop/sources-state.ts";

const file = (text: string) => ({ name: "style.css", text, version: `version of ${text}` });
const edited = (text: string): SourcesEvent => ({ kind: "edited", name: "style.css", text });
const after = (...events: SourcesEvent[]) =>
  [...events].reduce(reduceSources, startSources([file("old"), { ...file("{}"), name: "content.json" }]));
const textOf = (state: ReturnType<typeof after>) => state.drafts["style.css"];

test("a file that changes on disk replaces a text that is saved", () => {
  const state = after({ kind: "found", file: file("theirs") });
  expect([textOf(state), state.revisions["style.css"], dirtyNames(state)]).toEqual(["theirs", 1, []]);
});

test("a file that changes on disk never replaces a text that is not saved", () => {
  const state = after(edited("mine"), { kind: "found", file: file("theirs") });
  expect([textOf(state), state.revisions["style.css"]]).toEqual(["mine", undefined]);
  expect(state.conflicts["style.css"]).toEqual(file("theirs"));
});

test("the reader's own save is no conflict, also when more was typed meanwhile", () => {
  const saved = after(edited("mine"), { kind: "saved", file: file("mine") }, { kind: "found", file: file("mine") });
  expect([dirtyNames(saved), saved.conflicts]).toEqual([[], {}]);
  const typing = after(edited("mine"), edited("mine!"), { kind: "saved", file: file("mine") });
  expect([dirtyNames(typing), textOf(typing)]).toEqual([["style.css"], "mine!"]);
});

test("the choice of the file on disk replaces the text, and the other choice keeps it", () => {
  const conflict: SourcesEvent[] = [edited("mine"), { kind: "refused", file: file("theirs") }];
  const taken = after(...conflict, { kind: "taken", file: file("theirs") });
  expect([textOf(taken), dirtyNames(taken), taken.conflicts]).toEqual(["theirs", [], {}]);
  const kept = after(...conflict, { kind: "overwritten", file: file("theirs") });
  expect([textOf(kept), dirtyNames(kept), kept.conflicts]).toEqual(["mine", ["style.css"], {}]);
  expect(kept.known["style.css"]?.version).toBe("version of theirs");
});

test("a text that was not saved comes back, with a conflict where its file has changed since", () => {
  const drafts = keptDrafts(after(edited("mine")));
  expect(drafts).toEqual({ "style.css": { text: "mine", version: "version of old" } });
  const draft = { text: "mine", version: "version of old" };
  const same = after({ kind: "restored", name: "style.css", draft });
  expect([textOf(same), same.revisions["style.css"], same.conflicts]).toEqual(["mine", 1, {}]);
  const changed = after({ kind: "found", file: file("theirs") }, { kind: "restored", name: "style.css", draft });
  expect([textOf(changed), changed.conflicts["style.css"]]).toEqual(["mine", file("theirs")]);
  expect(after({ kind: "restored", name: "gone.css", draft })).toEqual(after());
});
