// Runs in a separate process, so that the memory used for preparation is freed afterwards.
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
