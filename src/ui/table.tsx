import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** One column: how a row's cell is drawn, and how it behaves when the table becomes cards. */
export type TableColumn<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "left" | "right";
  /** Names the row: first line of its card, and the row's header for screen readers. */
  lead?: boolean;
  /** On a card, without its label in front (actions, badges that speak for themselves). */
  bare?: boolean;
  /** Holds what people wrote, with words of any length: it breaks within one where it must. */
  words?: boolean;
};

type TableProps<Row> = {
  /** What the table shows; visible only with `captionShown`. */
  caption: string;
  captionShown?: boolean;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** In place of the rows when there are none. */
  empty?: ReactNode;
  className?: string;
};

/** A table with hairlines; in a narrow place each row becomes a card. */
export function Table<Row>({
  caption,
  captionShown = false,
  columns,
  rows,
  rowKey,
  empty,
  className,
}: TableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  // Cards are the same markup laid out as blocks, which drops the table's meaning for screen
  // readers unless the roles are spelled out.
  return (
    <div className={classNames("@container", className)}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: kept through display: block */}
      <table role="table" className="sheet-table">
        <caption className={captionShown ? "caps pb-2 text-left text-ink-2" : "sr-only"}>
          {caption}
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role="columnheader"
                data-align={column.align}
                className="caps text-ink-2"
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) =>
                column.lead ? (
                  <th
                    key={column.key}
                    scope="row"
                    role="rowheader"
                    data-label={column.header}
                    data-align={column.align}
                    data-lead="true"
                    className="font-semibold"
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.key}
                    role="cell"
                    data-label={column.header}
                    data-align={column.align}
                    data-bare={column.bare}
                    data-words={column.words}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: kept through display: block */}
    </div>
  );
}
