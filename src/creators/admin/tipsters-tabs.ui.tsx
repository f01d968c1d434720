import { LinkTabs } from "#ui/link-tabs.tsx";

/** What belongs to the Tipsters tab: those who write, those who want to, and whom to invite. */
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
