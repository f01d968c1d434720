import { LinkTabs } from "#ui/link-tabs.tsx";

/** Links between the payout pages. */
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
