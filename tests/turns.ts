/**
 * How many records `work` handles at most before another request gets a turn of the event loop. It calls `count` for each.
 */
export async function mostInOneTurn(work: (count: () => void) => Promise<unknown>): Promise<number> {
  let calls = 0;
  let most = 0;
  let next = setImmediate(() => {});
  const nextTurn = () => {
    calls = 0;
    next = setImmediate(nextTurn);
  };
  nextTurn();
  try {
    await work(() => {
      calls += 1;
      most = Math.max(most, calls);
    });
  } finally {
    clearImmediate(next);
  }
  return most;
}
