import type { TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";

/** The column of a payout's creator, with a link to the user. */
export const creatorColumn: TableColumn<{ creatorId: string; creatorName: string }> = {
  key: "creator",
  header: "Tipster",
  isRowHeader: true,
  cell: (payout) => (
    <TextLink to={`/admin/users/${payout.creatorId}`} standalone>
      {payout.creatorName}
    </TextLink>
  ),
};
