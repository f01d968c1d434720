// A process of its own, so that what preparing loads and keeps in memory ends with it.
import { product } from "./product.ts";
import { tell } from "./tell.ts";

try {
  const { prepare } = await product();
  await prepare(console.log);
  process.exit(0);
} catch (error) {
  tell(error);
  process.exit(1);
}
