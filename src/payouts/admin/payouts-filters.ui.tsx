import { BY_AGE, ListBar } from "#admin-kit/admin-kit.ui.tsx";

/** Search and order of the payout lists. */
export function PayoutsFilters() {
  return (
    <ListBar
      search="Search by tipster"
      choices={[
        {
          ...BY_AGE,
          options: [...BY_AGE.options, { value: "largest", label: "Largest first" }],
        },
      ]}
    />
  );
}
