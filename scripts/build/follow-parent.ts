import { onParentEnd } from "../parent-end.ts";

// Loaded into the processes of `asFollower`.
onParentEnd(() => process.exit(1));
