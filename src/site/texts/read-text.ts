import {
  Children,
  type ElementType,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from "react";

/** A compiled text of `content`. Returns its elements, and throws if it uses a component that it is not given. */
export type Text = (props: {
  components: Record<string, ElementType>;
}) => ReactElement<{ children: ReactNode }>;

export type TextSection = {
  /** The anchor. Stays stable when sections move. */
  id: string;
  title: string;
  body: ReactNode[];
};

type Component = (props: { children?: ReactNode }) => ReactNode;
type TextElement = ReactElement<{ children?: ReactNode }>;

const HEADING = /^(.+) \[#([\w-]+)\]$/;

export function isTag(node: ReactNode, tag: string): node is TextElement {
  return isValidElement(node) && node.type === tag;
}

/** Returns elements as plain text. Their components must not use hooks. */
export function toText(nodes: ReactNode): string {
  return Children.toArray(nodes)
    .map((node) => {
      if (!isValidElement<{ children?: ReactNode }>(node)) return String(node);
      const { type, props } = node;
      return toText(typeof type === "function" ? (type as Component)(props) : props.children);
    })
    .join("");
}

/**
 * Splits the elements of a text at its headings of a level, each of which ends with its anchor: "Refunds [#refunds]".
 * Throws if one has none.
 */
export function splitAtHeadings(nodes: ReactNode, tag: "h2" | "h3") {
  const before: ReactNode[] = [];
  const sections: TextSection[] = [];
  for (const node of Children.toArray(nodes)) {
    if (!isTag(node, tag)) {
      (sections.at(-1)?.body ?? before).push(node);
      continue;
    }
    const heading = toText(node.props.children);
    const [, title, id] = HEADING.exec(heading) ?? [];
    if (!title || !id)
      throw new Error(`"${heading}" must end with an anchor: "${heading} [#name]"`);
    sections.push({ id, title, body: [] });
  }
  return { before, sections };
}

/**
 * Returns the parts of a text: what is above its title, its title ("# Title"), its lead, which is the paragraph after
 * the title, its introduction, its sections ("## Section [#anchor]"), and its closing, which follows a line ("---").
 * Throws if it has no title or lead.
 */
export function readText(text: Text, components: Record<string, ElementType>) {
  const nodes = Children.toArray(text({ components }).props.children);
  const line = nodes.findIndex((node) => isTag(node, "hr"));
  const [main, closing] = line < 0 ? [nodes, []] : [nodes.slice(0, line), nodes.slice(line + 1)];
  const { before, sections } = splitAtHeadings(main, "h2");
  const start = before.findIndex((node) => isTag(node, "h1"));
  const [title, lead, ...introduction] = before.slice(start);
  if (!isTag(title, "h1") || !isTag(lead, "p"))
    throw new Error('A text begins with "# Title" and a paragraph.');
  return {
    above: before.slice(0, start),
    title: title.props.children,
    lead: lead.props.children,
    introduction,
    sections,
    closing,
  };
}
