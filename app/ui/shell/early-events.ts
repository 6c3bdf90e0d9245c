type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** One thing that a reader did before the page was hydrated. */
export type EarlyEvent =
  | { kind: "change"; target: Control; value: string; isChecked: boolean }
  | { kind: "click"; target: HTMLElement }
  | { kind: "submit"; target: HTMLFormElement; submitter: HTMLElement | null };

declare global {
  interface Window {
    earlyEvents?: { events: EarlyEvent[]; stop: () => void };
  }
}

/**
 * Records what a reader does before the page is hydrated. The layout inlines the source text of this function as a
 * script ahead of all others, so it must not use anything from outside its body.
 *
 * Links, search forms and native controls work without scripts, and keep working here. A button, or a form that is sent
 * with POST, needs its handler: its event is stopped, and `EventReplay` repeats it. Of several submits of a form only the
 * last one is repeated, because the first turns off the button of the second.
 */
export function recordEarlyEvents(): void {
  const events: EarlyEvent[] = [];
  const hold = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onChange = (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element && target.matches("input, textarea, select"))) return;
    // React hydrates at once when it sees an event, which resets a list between its `input` and its `change`.
    event.stopImmediatePropagation();
    const control = target as Control;
    if (events.at(-1)?.target === control) events.pop();
    const isChecked = control instanceof HTMLInputElement && control.checked;
    events.push({ kind: "change", target: control, value: control.value, isChecked });
  };
  const onClick = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button || (button.type === "submit" && button.form)) return;
    hold(event);
    events.push({ kind: "click", target: button });
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    if (form.getAttribute("method") !== "post") return;
    hold(event);
    const earlier = events.findIndex((other) => other.kind === "submit" && other.target === form);
    if (earlier >= 0) events.splice(earlier, 1);
    events.push({ kind: "submit", target: form, submitter: event.submitter });
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  addEventListener("input", onChange, options);
  addEventListener("change", onChange, options);
  addEventListener("click", onClick, options);
  addEventListener("submit", onSubmit, options);
  window.earlyEvents = { events, stop: () => listening.abort() };
}

/** Types a value so that React calls its handlers: React ignores an `input` event when it already knows the value. */
function typeInto(control: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const { selectionStart, selectionEnd } = control;
  // React sees an assignment to the element, but not one through the setter of its prototype.
  control.value = control.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
  if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

function repeatChange(control: Control, value: string, isChecked: boolean): void {
  if (control instanceof HTMLSelectElement) {
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (control.type === "file") {
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    control.checked = !isChecked;
    control.click();
  } else {
    typeInto(control, value);
  }
}

/** Repeats a recorded event in the hydrated page. */
export function repeatEvent(event: EarlyEvent): void {
  if (!event.target.isConnected) return;
  if (event.kind === "change") repeatChange(event.target, event.value, event.isChecked);
  else if (event.kind === "click") event.target.click();
  else event.target.requestSubmit(event.submitter);
}
