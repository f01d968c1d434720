import { AdminActionButton } from "#admin-kit/admin-kit.ui.tsx";
import type { EmailSummary } from "#platform/mail/list-emails.server.ts";
import { Badge } from "#ui/badge.tsx";

export function EmailStatus({
  email,
}: {
  email: Pick<EmailSummary, "sentAt" | "failedAt" | "failure">;
}) {
  if (email.sentAt) return <Badge tone="green">Sent</Badge>;
  if (email.failedAt)
    return (
      <span className="grid justify-items-end gap-0.5 sm:justify-items-start">
        <Badge tone="danger">Failed</Badge>
        <span className="text-xs text-ink-2">{email.failure}</span>
      </span>
    );
  return <Badge tone="info">Waiting</Badge>;
}

export function ResendButton({ email }: { email: Pick<EmailSummary, "id" | "subject"> }) {
  return (
    <AdminActionButton
      action={`/admin/emails/${email.id}/resend`}
      variant="quiet"
      label={`Resend ${email.subject}`}
    >
      Resend
    </AdminActionButton>
  );
}
