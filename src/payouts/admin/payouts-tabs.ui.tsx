import { LinkTabs } from "#ui/link-tabs.tsx";

/** What belongs to the Payouts tab: what is in progress, what was paid, what the next 15th brings, and the payment files. */
export function PayoutsTabs({ current }: { current: "open" | "paid" | "due" | "exports" }) {
  return (
    <LinkTabs
      label="Payouts"
      tabs={[
        { to: "/admin/payouts", label: "In progress", current: current === "open" },
        { to: "/admin/payouts/due", label: "Due on the 15th", current: current === "due" },
        { to: "/admin/payouts/history", label: "Paid", current: current === "paid" },
        { to: "/admin/payouts/exports", label: "Payment files", current: current === "exports" },
      ]}
    />
  );
}
