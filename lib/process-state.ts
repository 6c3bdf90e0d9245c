/** One value that all copies of a module in this process share. */
export type ProcessState<Value> = {
  /** Returns the value. The first call creates it. */
  get(): Value;
  /** Returns the value without creating it. */
  peek(): Value | undefined;
  replace(value: Value): void;
  /** Removes the value. The next {@link get} creates another one. */
  reset(): void;
};

/**
 * Declares state that is shared by the whole process. Next's bundler gives routes, instrumentation and the server a
 * copy of each module, so a module variable is not shared. This is the only place with state in `globalThis`.
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
