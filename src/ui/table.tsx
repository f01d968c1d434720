import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A column: how its cells are rendered, and how they behave in a narrow container. */
export type TableColumn<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "left" | "right";
  /** Makes the cell the row header, and the title of the card or row in a narrow container. */
  isRowHeader?: boolean;
  /**
   * The line of the cell in a narrow container: beside the title or below it. If any column has one, rows of the table
   * have two lines there, and cells of columns without one are hidden.
   */
  narrowLine?: 1 | 2;
  /** Omits the label in a narrow container, for actions and self-explanatory badges. */
  isLabelHidden?: boolean;
  /** Allows line breaks within words, for user-written text. */
  isUserText?: boolean;
};

type TableProps<Row> = {
  /** The accessible caption; visible only with `isCaptionVisible`. */
  caption: string;
  isCaptionVisible?: boolean;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The width of the container below which the table is narrow: 42rem for rows of two lines, by default. */
  fitsFrom?: "42rem" | "48rem";
  /** Shown instead of the table when there are no rows. */
  empty?: ReactNode;
  className?: string;
};

/** A table whose rows become cards, or rows of two lines, in a narrow container. */
export function Table<Row>({
  caption,
  isCaptionVisible = false,
  columns,
  rows,
  rowKey,
  fitsFrom,
  empty,
  className,
}: TableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  const hasNarrowLines = columns.some(({ narrowLine }) => narrowLine);
  // Cards use the same markup with `display: block`, which removes the table semantics for screen
  // readers unless the roles are explicit.
  return (
    <div className={classNames("@container", className)}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: needed with display: block */}
      <table
        role="table"
        className="sheet-table"
        data-rows={hasNarrowLines ? "lines" : "cards"}
        data-fits={fitsFrom ?? (hasNarrowLines ? "42rem" : "48rem")}
      >
        <caption className={isCaptionVisible ? "caps pb-2 text-left text-ink-2" : "sr-only"}>
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
                column.isRowHeader ? (
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
                    data-line={column.narrowLine}
                    data-no-label={column.isLabelHidden}
                    data-user-text={column.isUserText}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: needed with display: block */}
    </div>
  );
}
