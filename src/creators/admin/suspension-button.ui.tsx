import { AdminActionButton } from "#admin-kit/admin-kit.ui.tsx";

/** Button that suspends or reinstates a creator. */
export function SuspensionButton({
  creator,
}: {
  creator: { id: string; name: string; isSuspended: boolean };
}) {
  const { id, name, isSuspended } = creator;
  return (
    <AdminActionButton
      action={`/admin/tipsters/${id}/suspension`}
      fields={{ suspended: isSuspended ? "no" : "yes" }}
      label={isSuspended ? `Reinstate ${name}` : `Suspend ${name}`}
    >
      {isSuspended ? "Reinstate" : "Suspend"}
    </AdminActionButton>
  );
}
