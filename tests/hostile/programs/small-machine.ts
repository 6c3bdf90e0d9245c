/*
 * Imported before a server, this tells it that its container has the memory that LIMIT_BYTES names. A real limit would need the
 * right to make a cgroup, and the kernel would end the server instead of a test that says by how much it is exceeded.
 */
const limitBytes = Number(process.env.LIMIT_BYTES);
process.constrainedMemory = () => limitBytes;
