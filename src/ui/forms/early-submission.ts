import { deliveryMessage, FIELD_SELECTOR } from "./delivery-message.ts";

/** Marks the document whose forms are handled by the page's modules. */
export const HYDRATED_FORMS_ATTRIBUTE = "data-hydrated-forms";
/** Marks the notice about a form that was submitted, or a button that was pressed, before that. */
export const EARLY_NOTICE_ATTRIBUTE = "data-early-notice";

/** Stands for the form's own message. */
const PLACEHOLDER = "%s";
const [MESSAGE_WITH_FIELDS, MESSAGE] = [true, false].map((hasFields) =>
  JSON.stringify(deliveryMessage({ reason: "not-sent", message: PLACEHOLDER, hasFields })),
);
const CLASSES =
  "fixed inset-x-0 bottom-0 z-60 bg-danger px-4 py-2 text-center text-sm text-on-danger";

/**
 * Inline script that shows a notice at the bottom of a page whose modules have not loaded, and keeps a form, with its
 * input, when it is submitted there without a connection. The browser would replace the page by its own error page.
 */
export const EARLY_SUBMISSION_SCRIPT = `const showEarlyNotice = (text) => {
  document.querySelector("[${EARLY_NOTICE_ATTRIBUTE}]")?.remove();
  const notice = document.createElement("p");
  notice.className = "${CLASSES}";
  notice.setAttribute("role", "alert");
  notice.setAttribute("${EARLY_NOTICE_ATTRIBUTE}", "");
  notice.textContent = text;
  document.body.append(notice);
};
addEventListener("submit", (event) => {
  const form = event.target;
  if (navigator.onLine || document.documentElement.hasAttribute("${HYDRATED_FORMS_ATTRIBUTE}")) return;
  event.preventDefault();
  const { notSent } = form.dataset;
  showEarlyNotice((form.querySelector("${FIELD_SELECTOR}") ? ${MESSAGE_WITH_FIELDS} : ${MESSAGE})
    .replace("${PLACEHOLDER} ", notSent ? notSent + " " : ""));
}, true);`.replace(/\n\s*/g, " ");
