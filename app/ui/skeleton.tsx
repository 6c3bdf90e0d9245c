/** The place of something that has not come yet, of the size that `className` gives. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-pulse rounded-md bg-line motion-reduce:animate-none ${className}`}
    />
  );
}
