import { ListBar, ORDER_BY_AGE } from "#admin-kit/admin-kit.ui.tsx";

/** Search and order of the payout lists. */
export function PayoutsFilters() {
  return (
    <ListBar
      searchLabel="Search by tipster"
      filters={[
        {
          ...ORDER_BY_AGE,
          options: [...ORDER_BY_AGE.options, { value: "largest", label: "Largest first" }],
        },
      ]}
    />
  );
}
