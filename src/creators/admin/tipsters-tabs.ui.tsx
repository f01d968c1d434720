import { LinkTabs } from "#ui/link-tabs.tsx";

/** Tabs of the admin's tipster pages: creators, applications and invitations. */
export function TipstersTabs({ current }: { current: "creators" | "applications" | "invite" }) {
  return (
    <LinkTabs
      label="Tipsters"
      tabs={[
        { to: "/admin/tipsters", label: "All", current: current === "creators" },
        {
          to: "/admin/tipsters/applications",
          label: "Applications",
          current: current === "applications",
        },
        {
          to: "/admin/tipsters/invite",
          label: "Invite an analyst",
          current: current === "invite",
        },
      ]}
    />
  );
}
