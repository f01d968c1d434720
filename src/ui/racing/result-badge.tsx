import { Check, Minus, X } from "lucide-react";
import type { TipResult } from "#domain/tip.ts";
import { Badge } from "#ui/badge.tsx";

/** The result of a tip: won, lost, void or not settled. */
export function ResultBadge({
  result,
  className,
}: {
  result: TipResult | null;
  className?: string;
}) {
  if (result === "won") {
    return (
      <Badge tone="green" icon={<Check aria-hidden="true" />} className={className}>
        Won
      </Badge>
    );
  }
  if (result === "lost") {
    return (
      <Badge tone="danger" icon={<X aria-hidden="true" />} className={className}>
        Lost
      </Badge>
    );
  }
  if (result === "void") {
    return (
      <Badge icon={<Minus aria-hidden="true" />} className={className}>
        Void
      </Badge>
    );
  }
  return <Badge className={className}>Not settled</Badge>;
}
