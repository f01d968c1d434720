import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { NotificationProvider, useNotification } from "./notification.tsx";

function Asks() {
  return typeof useNotification().confirm;
}

test("asks for its provider, without which no message would ever be seen", () => {
  expect(() => renderToString(<Asks />)).toThrow(
    "useNotification must be used within a NotificationProvider",
  );
  expect(
    renderToString(
      <NotificationProvider>
        <Asks />
      </NotificationProvider>,
    ),
  ).toContain("function");
});
