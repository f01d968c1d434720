import { compile } from "@mdx-js/mdx";
import type { Plugin } from "vite";

/** A node of the HTML tree of a text. */
type Node = { type: string; tagName?: string; value?: string; children?: Node[] };

const BLOCKS = /^(root|mdxJsxFlowElement|ul|ol|li|dl|blockquote)$/;

/** Removes the line breaks between the blocks of a text, which the browser ignores. */
function removeLineBreaks() {
  return (node: Node): void => {
    if (BLOCKS.test(node.tagName ?? node.type))
      node.children = node.children?.filter(({ value }) => value !== "\n");
    node.children?.forEach(removeLineBreaks());
  };
}

/**
 * Compiles the texts of `content` to React components. Not `@mdx-js/rollup`, which calls the same compiler but
 * installs Rollup as a second bundler.
 */
export const mdxPlugin: Plugin = {
  name: "mdx",
  enforce: "pre",
  async transform(value, id) {
    const [path = ""] = id.split("?");
    if (!path.endsWith(".mdx")) return null;
    const code = await compile({ value, path }, { rehypePlugins: [removeLineBreaks] });
    return { code: String(code), map: null };
  },
};
