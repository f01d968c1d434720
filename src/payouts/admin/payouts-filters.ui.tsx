import { BY_AGE, ListBar } from "#admin-kit/admin-kit.ui.tsx";

/** What the lists of payouts are narrowed and ordered by. */
export function PayoutsBar() {
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
