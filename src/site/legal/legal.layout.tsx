import { NavLink, Outlet } from "react-router";
import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useInformation } from "../layout/use-information.ts";
import { LEGAL_PAGES } from "./legal-pages.ts";

export const handle = { scriptStart: "use" };

export default function LegalLayout() {
  const { company, supportEmail } = useInformation();
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="min-w-0">
        <Outlet />
      </div>
      <aside className="flex flex-col gap-6 lg:sticky lg:top-20 lg:self-start print:hidden">
        <nav aria-label="Legal pages" className="scotch">
          <p className="caps mb-1 text-ink-2">Legal pages</p>
          <ul>
            {LEGAL_PAGES.map((page) => (
              <li key={page.path} className="border-b border-rule">
                <NavLink
                  to={page.path}
                  className="group block py-2.5 pl-3 no-underline hover:bg-well aria-[current=page]:shadow-[inset_3px_0_0_var(--green-ink)]"
                >
                  <span className="block font-cond text-[1.0625rem] leading-6 font-semibold text-ink group-aria-[current=page]:text-green-ink">
                    {page.name}
                  </span>
                  <span className="block text-xs text-ink-2">{page.about}</span>
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <Panel tone="well" title="Questions about these pages?">
          <p className="text-sm text-ink-2">
            Contact us:{" "}
            <a className="link break-words" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>{" "}
            or the <TextLink to="/contact">contact page</TextLink>.
          </p>
          <address className="mt-3 text-xs text-ink-2 not-italic">
            {company.name}
            {company.registration ? (
              <>
                <br />
                Registration {company.registration}
              </>
            ) : null}
            {company.address ? (
              <>
                <br />
                {company.address}
              </>
            ) : null}
            {company.telephone ? (
              <>
                <br />
                Telephone {company.telephone}
              </>
            ) : null}
            {company.officers ? (
              <>
                <br />
                Office bearers: {company.officers}
              </>
            ) : null}
          </address>
        </Panel>
      </aside>
    </div>
  );
}
