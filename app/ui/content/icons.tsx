import type { ReactNode } from "react";

/**
 * An icon on a 16 px grid in the colour of the text, hidden from screen readers: the control around it has the name.
 */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 flex-none fill-none stroke-current stroke-[1.5]"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

export const Sun = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
  </Icon>
);

export const Moon = () => (
  <Icon>
    <path d="M13.5 9.6A5.75 5.75 0 0 1 6.4 2.5a5.75 5.75 0 1 0 7.1 7.1Z" />
  </Icon>
);

export const Monitor = () => (
  <Icon>
    <rect x="1.75" y="2.5" width="12.5" height="8.5" rx="1" />
    <path d="M5.5 13.75h5M8 11v2.75" />
  </Icon>
);

export const MenuLines = () => (
  <Icon>
    <path d="M2 4.5h12M2 8h12M2 11.5h12" />
  </Icon>
);

export const ChevronDown = () => (
  <Icon>
    <path d="m4 6 4 4 4-4" />
  </Icon>
);

export const Cross = () => (
  <Icon>
    <path d="m3.5 3.5 9 9M12.5 3.5l-9 9" />
  </Icon>
);

export const Check = () => (
  <Icon>
    <path d="m3 8.5 3.25 3.25L13 4.75" />
  </Icon>
);

export const Copy = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1" />
    <path d="M10.5 3V2.5a.75.75 0 0 0-.75-.5H2.75a.75.75 0 0 0-.75.75v7c0 .4.3.7.7.75H3" />
  </Icon>
);

export const Eye = () => (
  <Icon>
    <path d="M1.5 8S3.75 3.5 8 3.5 14.5 8 14.5 8 12.25 12.5 8 12.5 1.5 8 1.5 8Z" />
    <circle cx="8" cy="8" r="1.9" />
  </Icon>
);

export const EyeOff = () => (
  <Icon>
    <path d="M3.6 4.9C2.2 6.1 1.5 8 1.5 8S3.75 12.5 8 12.5c1.3 0 2.4-.4 3.3-1M6.2 3.7A6 6 0 0 1 8 3.5c4.25 0 6.5 4.5 6.5 4.5s-.5 1.1-1.5 2.2M2.5 2.5l11 11M6.7 6.6a1.9 1.9 0 0 0 2.7 2.7" />
  </Icon>
);
