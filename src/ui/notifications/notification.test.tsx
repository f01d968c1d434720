import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { NotificationProvider, useNotification } from "./notification.tsx";

function ConfirmUser() {
  return typeof useNotification().confirm;
}

test("useNotification throws without a provider", () => {
  expect(() => renderToString(<ConfirmUser />)).toThrow(
    "useNotification must be used within a NotificationProvider",
  );
  expect(
    renderToString(
      <NotificationProvider>
        <ConfirmUser />
      </NotificationProvider>,
    ),
  ).toContain("function");
});
