/** The legal pages in the order in which the sidebar lists them. */
export const LEGAL_PAGES = [
  { path: "/terms-of-service", name: "Terms of service", about: "For everyone who uses Furlong" },
  { path: "/terms", name: "Tipster terms", about: "For tipsters and analysts" },
  { path: "/privacy", name: "Privacy policy", about: "What we keep, why, and for how long" },
  { path: "/cookies", name: "Cookie policy", about: "The cookies we set and why" },
  {
    path: "/responsible-gambling",
    name: "Responsible gambling",
    about: "Help, and where to get it",
  },
  { path: "/disclaimer", name: "Disclaimer", about: "What our tips are and are not" },
] as const;
