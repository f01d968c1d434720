import { useEffect } from "react";
import { Outlet, redirect, useLocation } from "react-router";
import { findViewer, isAwaitingTwoStep, readCodeState } from "#accounts/accounts.server.ts";
import { SignInForm } from "#accounts/accounts.ui.tsx";
import { mayManageTwoStep, readAdmin, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { CodeContext } from "#admin-kit/admin-kit.ui.tsx";
import { logFailure } from "#platform/log-failure.server.ts";
import { ErrorPage } from "../layout/error-page.ui.tsx";
import type { Route } from "./+types/admin.layout.ts";
import { AdminFrame } from "./admin-frame.ui.tsx";
import { ADMIN_ROOT, ADMIN_SEARCH_PATH, type AdminSection, findSection } from "./admin-sections.ts";
import { readTaskCounts, sumTasks } from "./count-tasks.server.ts";

const TWO_STEP_PATH = "/admin/two-step";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { pathname } = new URL(request.url);
  const admin = await readAdmin(context);
  if (!admin) {
    const viewer = await findViewer(context);
    const isTwoStepPath = pathname.startsWith(TWO_STEP_PATH);
    if (isTwoStepPath && viewer && (await mayManageTwoStep(context)))
      return { admin: null, twoStepOf: viewer.name };
    // An invited admin must set up two-step login before anything else.
    if (!isTwoStepPath && viewer && (await isAwaitingTwoStep(viewer.id)))
      throw redirect(TWO_STEP_PATH);
    // /admin shows the sign-in form. Other admin paths redirect guests and return 403 to users.
    if (pathname.replace(/(\.data|\/)$/, "") === ADMIN_ROOT)
      return { admin: null, twoStepOf: null };
  }
  const viewer = admin ?? (await requireAdmin(context));
  const tasks = await nullOnError(readTaskCounts(context));
  return {
    admin: { name: viewer.name },
    code: await readCodeState(viewer, context),
    waiting: {
      tasks: tasks ? sumTasks(tasks) : null,
      applications: tasks?.applications ?? null,
      results: tasks?.results ?? null,
      payouts: tasks?.payouts ?? null,
    },
  };
}

/** Returns null if the query fails, so that one failure does not hide the other counts. */
async function nullOnError<Total>(total: Promise<Total>): Promise<Total | null> {
  try {
    return await total;
  } catch (error) {
    logFailure("error", { error }, "failed to count open tasks");
    return null;
  }
}

type LayoutData = Route.ComponentProps["loaderData"];

/** The admin area with its sections, or the sign-in form. */
export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  useEffect(() => {
    // Loaded early, because it shows connection errors.
    void import("#ui/notifications/toast-region.tsx");
  }, []);
  if (!loaderData.admin)
    return loaderData.twoStepOf === null ? (
      <SignInForm />
    ) : (
      <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
        <Heading>Admin</Heading>
        <Outlet />
      </div>
    );
  const sections = listSections(loaderData.waiting);
  const current = sections.find(({ to }) => to === findSection(pathname));
  return (
    <AdminFrame name={loaderData.admin.name} sections={sections}>
      {/* Today has its own heading. */}
      {current?.to === ADMIN_ROOT && pathname === ADMIN_ROOT ? null : (
        <Heading>{current?.label ?? (pathname === ADMIN_SEARCH_PATH ? "Search" : "Admin")}</Heading>
      )}
      <CodeContext value={loaderData.code}>
        <Outlet />
      </CodeContext>
    </AdminFrame>
  );
}

/** Keeps the sections around the error of a page. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const data = loaderData as LayoutData | undefined;
  if (!data?.admin) return <ErrorPage error={error} />;
  return (
    <AdminFrame name={data.admin.name} sections={listSections(data.waiting)}>
      <ErrorPage error={error} />
    </AdminFrame>
  );
}

function Heading({ children }: { children: string }) {
  return <h1 className="mb-4 font-cond text-2xl font-bold">{children}</h1>;
}

function listSections(
  waiting: Extract<LayoutData, { admin: { name: string } }>["waiting"],
): AdminSection[] {
  return [
    { to: ADMIN_ROOT, label: "Today", count: waiting.tasks },
    { to: `${ADMIN_ROOT}/tips`, label: "Tips Management" },
    { to: `${ADMIN_ROOT}/venues`, label: "Venues Management" },
    { to: `${ADMIN_ROOT}/results`, label: "Race Results", count: waiting.results },
    { to: `${ADMIN_ROOT}/purchases`, label: "Sales Overview" },
    { to: `${ADMIN_ROOT}/tipsters`, label: "Tipsters", count: waiting.applications },
    { to: `${ADMIN_ROOT}/payouts`, label: "Payouts", count: waiting.payouts },
    { to: `${ADMIN_ROOT}/users`, label: "Users" },
    { to: `${ADMIN_ROOT}/admins`, label: "Admins" },
    { to: `${ADMIN_ROOT}/audit`, label: "Audit" },
  ];
}
