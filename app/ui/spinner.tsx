/** Something is under way, which other words say. */
export function Spinner() {
  return (
    <span className="inline-flex items-center">
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        className="size-4 animate-spin fill-none stroke-2 stroke-current motion-reduce:animate-none"
      >
        <circle cx="8" cy="8" r="6" className="opacity-25" />
        <path d="M14 8a6 6 0 0 0-6-6" strokeLinecap="round" />
      </svg>
    </span>
  );
}
