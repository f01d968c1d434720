import { ListBar } from "./list-bar.ui.tsx";

/** What the lists of payouts are narrowed and ordered by. */
export function PayoutsBar() {
  return (
    <ListBar
      search="Search by tipster"
      choices={[
        {
          name: "order",
          label: "Order",
          options: [
            { value: "newest", label: "Newest first" },
            { value: "oldest", label: "Oldest first" },
            { value: "largest", label: "Largest first" },
          ],
        },
      ]}
    />
  );
}
