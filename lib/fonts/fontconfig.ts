/** The private fontconfig file that a browser is started with (`FONTCONFIG_FILE`). Made on first use under the data folder. */
export async function prepareFontconfig(dataDir: string): Promise<string> {
  throw new Error(`not built yet: ${dataDir}`);
}
