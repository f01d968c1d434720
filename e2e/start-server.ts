import { freePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "../test/data-folder.ts";
import { startProduct } from "../test/started-product.ts";

/** One server for the run, as `npm start` runs it, with a database and a demo of its own. */
export default async function startServer() {
  const { dataDir, remove } = await makeDataFolder();
  try {
    const product = await startProduct({ PORT: String(await freePort()), DATA_DIR: dataDir });
    process.env.BASE_URL = product.url;
    return async () => {
      await product.stop();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
