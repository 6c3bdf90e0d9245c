/** How many times an image may be blown up. Above it, photographs are mere pixels. */
export const MAX_ZOOM = 10;
