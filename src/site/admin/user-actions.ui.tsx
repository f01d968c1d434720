import { Fragment, useState } from "react";
import { MAX_GRANT_COINS, MAX_NOTE_LENGTH } from "#accounts/accounts.ui.tsx";
import { AdminActionForm } from "#admin-kit/admin-kit.ui.tsx";
import { Button } from "#ui/button.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";

export function GrantPanel({
  userId,
  isSelf,
  idempotencyKey,
}: {
  userId: string;
  isSelf: boolean;
  idempotencyKey: string;
}) {
  // Constant until a grant succeeds, so that a repeated submission grants once.
  const [key] = useState(idempotencyKey);
  const [grants, setGrants] = useState(0);
  return (
    <Panel title="Grant coins">
      {isSelf ? (
        <p className="text-sm text-ink-2">You can't grant coins to yourself.</p>
      ) : (
        <AdminActionForm
          action={`/admin/users/${userId}/grant`}
          fields={{ idempotencyKey: `${key}-${grants}` }}
          className="grid gap-4"
          onSuccess={() => setGrants((count) => count + 1)}
        >
          {(isPending) => (
            <Fragment key={grants}>
              <TextField
                label="Coins"
                name="amountCoins"
                type="number"
                inputMode="numeric"
                min={1}
                max={MAX_GRANT_COINS}
                step={1}
                required
                figures
                className="max-w-32"
              />
              <TextField
                label="Reason"
                name="reason"
                required
                maxLength={300}
                hint="Recorded in the audit log"
              />
              <div>
                <Button type="submit" variant="coin" pending={isPending} pendingLabel="Granting">
                  Grant coins
                </Button>
              </div>
            </Fragment>
          )}
        </AdminActionForm>
      )}
    </Panel>
  );
}

/** Adds a note, or a complaint about a creator. */
export function NotePanel({ userId, isCreator }: { userId: string; isCreator: boolean }) {
  // Empties the fields after a note of this admin, and keeps what is typed when another admin adds one.
  const [savedNotes, setSavedNotes] = useState(0);
  return (
    <Panel title="Add a note">
      <AdminActionForm
        action={`/admin/users/${userId}/note`}
        className="grid gap-4"
        onSuccess={() => setSavedNotes((count) => count + 1)}
      >
        {(isPending) => (
          <Fragment key={savedNotes}>
            {isCreator ? (
              <SelectField
                label="About"
                name="kind"
                defaultValue="note"
                options={[
                  { value: "note", label: "Anything" },
                  { value: "complaint", label: "A complaint about this person's race cards" },
                ]}
                className="max-w-sm"
              />
            ) : null}
            <TextAreaField
              label="Note"
              name="text"
              rows={3}
              required
              maxLength={MAX_NOTE_LENGTH}
              hint="Admins only. It stays in the history and the audit log."
            />
            <div>
              <Button type="submit" pending={isPending} pendingLabel="Saving">
                Save note
              </Button>
            </div>
          </Fragment>
        )}
      </AdminActionForm>
    </Panel>
  );
}

/** Ends every session of the user. */
export function SignOutPanel({ userId, sessions }: { userId: string; sessions: number }) {
  return (
    <Panel title="Log out everywhere">
      {sessions === 0 ? (
        <p className="text-sm text-ink-2">Not logged in on any device.</p>
      ) : (
        <AdminActionForm
          action={`/admin/users/${userId}/sign-out`}
          className="grid justify-items-start gap-4"
        >
          {(isPending) => (
            <>
              <p className="text-sm text-ink-2">
                Use this if someone else may have access. Ask them to change their password too.
              </p>
              <Button type="submit" variant="danger" pending={isPending} pendingLabel="Logging out">
                Log out everywhere
              </Button>
            </>
          )}
        </AdminActionForm>
      )}
    </Panel>
  );
}

export function CloseAccountPanel({ userId, hasRole }: { userId: string; hasRole: boolean }) {
  return (
    <Panel title="Close account">
      {hasRole ? (
        <p className="text-sm text-ink-2">
          You can't close an account that has a role. Suspend the tipster or analyst first and pay
          what they are owed, whatever the amount. Or remove the admin.
        </p>
      ) : (
        <AdminActionForm action={`/admin/users/${userId}/close`} className="grid gap-4">
          {(isPending) => (
            <>
              <TextField label="Reason" name="reason" required maxLength={300} />
              <div>
                <Button type="submit" variant="danger" pending={isPending} pendingLabel="Closing">
                  Close account
                </Button>
              </div>
            </>
          )}
        </AdminActionForm>
      )}
    </Panel>
  );
}
