/** The SQLSTATE of what PostgreSQL said, however deep it is wrapped; undefined when the fault is not PostgreSQL's. */
export function sqlState(error: unknown): string | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if ("severity" in fault && "code" in fault && typeof fault.code === "string") return fault.code;
  }
  return undefined;
}

/** Whether a row was refused because another one holds what `constraint` (the name of an index or constraint) keeps unique. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if ("constraint_name" in fault && fault.constraint_name === constraint) return sqlState(fault) === "23505";
  }
  return false;
}
