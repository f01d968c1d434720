import { ChevronDown, Search } from "lucide-react";
import { type SyntheticEvent, useEffect, useMemo, useRef, useState } from "react";
import { data, Form, useLocation } from "react-router";
import { publicMeta } from "#platform/public-meta.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { usePrices } from "#ui/prices.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readLayoutPrices } from "../layout/read-layout-prices.ts";
import { useInformation } from "../layout/use-information.ts";
import { useLayoutViewer } from "../layout/use-layout-viewer.ts";
import type { Route } from "./+types/help.page.ts";
import {
  findAnswer,
  type HelpAnswer,
  type HelpCategory,
  listHelpCategories,
  POPULAR_ANSWERS,
  searchHelp,
} from "./help-answers.ts";

export const handle = { scriptStart: "use" };

export function loader({ request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const query = (params.get("q") ?? "").slice(0, 100);
  // Search results are not cached, because queries vary.
  return data(
    { query, openAnswer: params.get("answer") },
    { headers: query ? {} : { "Cache-Control": "s-maxage=300" } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Help centre",
    description:
      "Answers about coins and payments, race cards, tipsters and their records, your account and technical problems.",
    path: "/help",
    structuredData: [
      {
        "@type": "FAQPage",
        mainEntity: listHelpCategories(readLayoutPrices(matches))
          .flatMap((category) => category.answers)
          .map((answer) => ({
            "@type": "Question",
            name: answer.question,
            acceptedAnswer: { "@type": "Answer", text: answer.paragraphs.join(" ") },
          })),
      },
    ],
  });
}

export default function Help({
  loaderData: { query: initialQuery, openAnswer },
}: Route.ComponentProps) {
  const [query, setQuery] = useState(initialQuery);
  const [lastInitial, setLastInitial] = useState(initialQuery);
  if (initialQuery !== lastInitial) {
    setLastInitial(initialQuery);
    setQuery(initialQuery);
  }
  const form = useRef<HTMLFormElement>(null);
  // What was typed before the scripts started is searched for too.
  useEffect(() => {
    const input = form.current?.elements.namedItem("q");
    if (input instanceof HTMLInputElement && input.value) setQuery(input.value);
  }, []);
  const { key, hash } = useLocation();
  // Following a link to an answer opens it, even when the URL stays the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with every navigation
  useEffect(() => {
    const linked = document.getElementById(hash.slice(1));
    if (linked instanceof HTMLDetailsElement) linked.open = true;
  }, [key, hash]);

  const prices = usePrices();
  const allCategories = useMemo(() => listHelpCategories(prices), [prices]);
  const categories = searchHelp(query, allCategories);
  const count = categories.reduce((sum, category) => sum + category.answers.length, 0);

  return (
    <>
      <PageHeading
        kicker="Help"
        lead="Search, or browse the six topics below. Can't find an answer? Contact us."
      >
        Help centre
      </PageHeading>
      <Form ref={form} role="search" className="mt-6 flex max-w-xl items-end gap-2">
        <TextField
          label="Search the help centre"
          labelHidden
          name="q"
          type="search"
          maxLength={100}
          placeholder="Search, e.g. refund"
          autoComplete="off"
          prefix={<Search aria-hidden="true" />}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="flex-1"
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
      <p role="status" className="mt-2 min-h-5 text-sm text-ink-2">
        {query.trim() ? `${count} ${count === 1 ? "answer" : "answers"} for "${query.trim()}"` : ""}
      </p>

      <div className="mt-6 grid gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-w-0 flex-col gap-10">
          {categories.length === 0 ? (
            <EmptyState
              drawing="search"
              title="No results found"
              action={<ButtonLink to="/contact">Contact support</ButtonLink>}
            >
              Try another word, or contact us. We read every message.
            </EmptyState>
          ) : (
            categories.map((category) => (
              <section key={category.id} aria-labelledby={category.id}>
                <SectionHeading id={category.id} aside={category.answers.length}>
                  {category.title}
                </SectionHeading>
                <div className="mt-1">
                  {category.answers.map((answer) => (
                    <Answer key={answer.id} answer={answer} isOpen={answer.id === openAnswer} />
                  ))}
                </div>
              </section>
            ))
          )}
        </div>
        <SidePanels categories={allCategories} />
      </div>
    </>
  );
}

/** A collapsible question. Opening one closes the others. */
function Answer({ answer, isOpen }: { answer: HelpAnswer; isOpen: boolean }) {
  return (
    <details
      id={answer.id}
      name="help"
      open={isOpen}
      onToggle={closeOthers}
      className="group border-b border-rule"
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 py-2.5 font-semibold hover:text-green-ink focus-visible:outline-offset-0 [&::-webkit-details-marker]:hidden">
        <h3 className="text-base font-semibold">{answer.question}</h3>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-ink-3 transition-transform duration-100 group-open:rotate-180"
        />
      </summary>
      <div className="max-w-[64ch] pb-5 text-ink-2 [&_p+p]:mt-3">
        {answer.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {answer.links.length > 0 ? (
          <p className="flex flex-wrap gap-x-5 gap-y-2">
            {answer.links.map((link) => (
              <TextLink key={link.to} to={link.to} standalone>
                {link.label}
              </TextLink>
            ))}
          </p>
        ) : null}
      </div>
    </details>
  );
}

/** Closes the other questions in browsers without exclusive `details` groups. */
function closeOthers(event: SyntheticEvent<HTMLDetailsElement>) {
  const openedDetails = event.currentTarget;
  if (!openedDetails.open) return;
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[name="help"][open]'))
    if (details !== openedDetails) details.open = false;
}

function quickLinks(isSignedIn: boolean) {
  return [
    { to: "/how-it-works", label: "How it works" },
    { to: "/how-it-works#pricing", label: "Coin packs and prices" },
    { to: "/rules", label: "How tips are settled" },
    isSignedIn ? { to: "/profile", label: "Your profile" } : { to: "/login", label: "Login" },
    { to: "/tipster-auth", label: "For tipsters" },
    { to: "/terms-of-service", label: "Terms of service" },
  ];
}

function SidePanels({ categories }: { categories: readonly HelpCategory[] }) {
  const { supportEmail } = useInformation();
  const viewer = useLayoutViewer();
  return (
    <aside className="flex flex-col gap-6">
      <Panel title="Quick links" flush>
        <PanelLinks links={quickLinks(viewer !== null)} />
      </Panel>
      <Panel title="Popular topics" flush>
        <PanelLinks
          links={POPULAR_ANSWERS.map((id) => ({
            // The parameter opens the answer and the anchor scrolls to it, with and without JavaScript.
            to: `/help?answer=${id}#${id}`,
            label: findAnswer(id, categories)?.question ?? "",
          }))}
        />
      </Panel>
      <Panel
        title="Still need help?"
        tone="green"
        footer={
          <ButtonLink to="/contact" wide>
            Contact support
          </ButtonLink>
        }
      >
        <p className="text-sm">
          Email us at{" "}
          <a className="link break-words" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          . Monday to Friday, 9AM to 5PM SAST.
        </p>
      </Panel>
    </aside>
  );
}

function PanelLinks({ links }: { links: readonly { to: string; label: string }[] }) {
  return (
    <ul className="py-1">
      {links.map((link) => (
        <li key={link.to}>
          <TextLink
            to={link.to}
            className="flex min-h-11 items-center px-4 py-1.5 text-sm decoration-transparent hover:decoration-current"
          >
            {link.label}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}
