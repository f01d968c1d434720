import { data } from "react-router";
import { pageMeta } from "#ui/page-meta.ts";
import { NotFoundPage } from "./error-page.ui.tsx";

export const handle = { scriptStart: "use" };

export const loader = () => data(null, { status: 404 });
export const action = () => data(null, { status: 404 });

export const meta = () =>
  pageMeta({
    title: "This track doesn't exist",
    description: "The page you're looking for seems to have left the paddock.",
    isPrivate: true,
  });

export default NotFoundPage;
