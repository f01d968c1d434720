import compatData from "@mdn/browser-compat-data" with { type: "json" };
import type { Identifier } from "@mdn/browser-compat-data";
import type { Rule } from "eslint";
import { OLDEST_BROWSERS } from "./supported-browsers.ts";

type Node = Rule.Node;
/** The parts of a syntax tree node that show whether a feature test precedes a usage. */
type Syntax = {
  type: string;
  parent: Syntax | null;
  operator?: string;
  optional?: boolean;
  callee?: object;
  left?: object;
  right?: object;
  test?: object;
  consequent?: object;
};
type Feature = Partial<Identifier>;

/** Maps a global object to the interface under which MDN lists its members. */
const INTERFACE_NAMES: Record<string, string> = {
  window: "Window",
  self: "Window",
  globalThis: "Window",
  document: "Document",
  navigator: "Navigator",
  history: "History",
  location: "Location",
  performance: "Performance",
  caches: "CacheStorage",
  crypto: "Crypto",
};

/** Library methods that share their name with a newer browser API. */
const LIBRARY_METHODS = new Set([
  "createContext", // React; WebNN
  "use", // React; Temporal and others
  "fallback", // Valibot
  "subscribe", // React Router, sonner; observables
  "handle", // Workbox
  "destroy", // Workbox
  "fetch", // Workbox
]);

const { api, javascript } = compatData;
const interfaces: Record<string, Feature | undefined> = { ...api, ...javascript.builtins };
const memberSupport = readMemberSupport();

/**
 * An ESLint rule that reports browser APIs that the oldest supported browsers lack, according to
 * MDN's compatibility data: globals, members of globals, and calls to methods that no supported
 * interface has. A usage behind `typeof`, `?.` or a test of the same name is allowed.
 */
export const noUnsupportedApi: Rule.RuleModule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const { sourceCode } = context;
    const globals = new Set<unknown>();
    const report = (node: Node, name: string) =>
      context.report({ node, message: `${name} is missing in a supported browser` });

    return {
      Program() {
        const scope = sourceCode.scopeManager.globalScope;
        // ESLint resolves the globals of JavaScript, but not those of the browser.
        const builtIns = scope?.variables.filter(({ defs }) => defs.length === 0) ?? [];
        const references = [
          ...(scope?.through ?? []),
          ...builtIns.flatMap((variable) => variable.references),
        ];
        for (const { identifier } of references) {
          const node = identifier as Node;
          globals.add(node);
          const feature = interfaces[identifier.name];
          if (feature?.__compat && !isSupported(feature) && !isFeatureTested(node, identifier.name))
            report(node, identifier.name);
        }
      },
      MemberExpression(member) {
        const node = member as Node;
        if (member.computed || member.property.type !== "Identifier") return;
        const { name } = member.property;
        if (isFeatureTested(node, name)) return;
        if (member.object.type === "Identifier" && globals.has(member.object)) {
          const owner = INTERFACE_NAMES[member.object.name] ?? member.object.name;
          const feature = findMember(owner, name);
          if (feature) {
            if (!isSupported(feature)) report(node, sourceCode.getText(member));
            return;
          }
        }
        const { parent } = node as unknown as Syntax;
        const isCall = parent?.type === "CallExpression" && parent.callee === member;
        if (!isCall || LIBRARY_METHODS.has(name)) return;
        if (memberSupport.get(name) === false) report(node, `.${name}()`);
      },
    };
  },
};

/** Returns, for each member name, whether at least one interface has a supported member of it. */
function readMemberSupport(): Map<string, boolean> {
  const members = new Map<string, boolean>();
  const addMembers = (owner: Feature | undefined) => {
    for (const [key, feature] of Object.entries(owner ?? {}) as [string, Feature][]) {
      if (key === "__compat" || !feature?.__compat) continue;
      const name = key.replace(/_static$/, "");
      members.set(name, (members.get(name) ?? false) || isSupported(feature));
      // Intl and WebAssembly contain further interfaces.
      if (/^[A-Z]/.test(key)) addMembers(feature);
    }
  };
  for (const owner of Object.values(interfaces)) addMembers(owner);
  return members;
}

function findMember(owner: string, name: string): Feature | undefined {
  const members = interfaces[owner];
  const feature = members?.[`${name}_static`] ?? members?.[name];
  if (feature?.__compat) return feature;
  return owner === "Window" && interfaces[name]?.__compat ? interfaces[name] : undefined;
}

function isSupported({ __compat: compat }: Feature): boolean {
  return Object.entries(OLDEST_BROWSERS).every(([browser, oldest]) =>
    [compat?.support[browser as keyof typeof OLDEST_BROWSERS] ?? []]
      .flat()
      .some(
        ({ version_added: version, flags, prefix }) =>
          !flags && !prefix && typeof version === "string" && isAtMost(version, oldest),
      ),
  );
}

/** In MDN's data, "≤80" means "80 or earlier"; "preview" has no number and is never at most. */
function isAtMost(version: string, limit: string): boolean {
  const [major = Number.NaN, minor = 0] = version.replace("≤", "").split(".").map(Number);
  const [limitMajor = 0, limitMinor = 0] = limit.split(".").map(Number);
  return major < limitMajor || (major === limitMajor && minor <= limitMinor);
}

/** Returns true if the code checks that the API exists before it uses it. */
function isFeatureTested(usage: Node, name: string): boolean {
  const node = usage as unknown as Syntax;
  const { parent } = node;
  if (!parent) return false;
  if (parent.type === "UnaryExpression") return parent.operator === "typeof";
  if (parent.type === "CallExpression" && parent.callee === node && parent.optional) return true;
  // In `api && …` and `if (api)`, the condition itself does not use the API.
  if (parent.type === "LogicalExpression" && parent.left === node) return true;
  if (parent.test === node) return true;
  let inner = node;
  for (let outer = node.parent; outer; outer = outer.parent) {
    const test = findCondition(inner, outer);
    if (test && mentions(test, name)) return true;
    inner = outer;
  }
  return false;
}

/** Returns the condition under which a part of a statement or expression runs. */
function findCondition(inner: Syntax, outer: Syntax): object | undefined {
  if (outer.type === "LogicalExpression" && outer.operator === "&&" && outer.right === inner)
    return outer.left;
  return outer.consequent === inner ? outer.test : undefined;
}

/** Returns true if an expression contains the name as an identifier, member or string. */
function mentions(expression: object, name: string): boolean {
  return Object.entries(expression).some(([key, value]) => {
    if (key === "parent") return false;
    if (value === name && (key === "name" || key === "value")) return true;
    return [value]
      .flat()
      .some((child) => child && typeof child === "object" && mentions(child, name));
  });
}
