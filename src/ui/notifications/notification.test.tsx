import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { NotificationProvider, useNotification } from "./notification.tsx";

function ConfirmConsumer() {
  return typeof useNotification().confirm;
}

test("useNotification throws without a provider", () => {
  expect(() => renderToString(<ConfirmConsumer />)).toThrow(
    "useNotification must be used within a NotificationProvider",
  );
  expect(
    renderToString(
      <NotificationProvider>
        <ConfirmConsumer />
      </NotificationProvider>,
    ),
  ).toContain("function");
});
