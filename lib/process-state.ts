/** One value of the process, whichever copy of a module asks for it. */
export type ProcessState<Value> = {
  /** The value, created at the first call. */
  get(): Value;
  /** The value if there is one, without creating it. */
  peek(): Value | undefined;
  replace(value: Value): void;
  /** Forgets the value: the next {@link get} creates another. */
  reset(): void;
};

/**
 * State that all copies of a module share. Next's bundler gives routes, instrumentation and the server their own copies, so
 * a variable of a module is not one of the process. This is the only place that uses `globalThis`.
 * @param name unique in the process
 */
export function processState<Value>(name: string, create: () => Value): ProcessState<Value> {
  const key = Symbol.for(`platen.${name}`);
  const holder = globalThis as { [key: symbol]: { value: Value } | undefined };
  return {
    get: () => {
      holder[key] ??= { value: create() };
      return holder[key].value;
    },
    peek: () => holder[key]?.value,
    replace: (value) => {
      holder[key] = { value };
    },
    reset: () => {
      delete holder[key];
    },
  };
}
