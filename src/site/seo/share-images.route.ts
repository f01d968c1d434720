import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { findCreator } from "#creators/creators.server.ts";
import { findTrack } from "#domain/tracks.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { findVenue } from "#racing/racing.server.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { Silks } from "#ui/racing/silks.tsx";
import { TrackOutline } from "#ui/racing/track-outline.tsx";
import { renderShareImage, type ShareImage } from "./share-image.server.ts";

/** GET /share/tipsters/:file: the silks and record of a creator. */
export async function shareTipster(c: HttpContext): Promise<Response> {
  const creator = await findCreator(slugParam(c));
  if (!creator) return jsonError(c, 404, "Picture not found.");
  const { settled, won } = creator.record;
  return pngResponse(c, {
    over: creator.kind,
    title: creator.name,
    line:
      settled === 0
        ? "No settled tips yet"
        : `${((won / settled) * 100).toFixed(1)}% of ${formatInteger(settled)} settled tips won`,
    drawing: {
      svg: renderToStaticMarkup(createElement(Silks, { name: creator.name, label: creator.name })),
      width: 330,
      height: 340,
    },
  });
}

/** GET /share/tracks/:file: the outline and location of a track. */
export async function shareTrack(c: HttpContext): Promise<Response> {
  const venue = await findVenue(slugParam(c));
  if (!venue?.isActive) return jsonError(c, 404, "Picture not found.");
  const track = findTrack(venue.slug);
  return pngResponse(c, {
    over: "Racing track",
    title: venue.name,
    line: track ? `${venue.location}, ${track.direction}` : venue.location,
    drawing: {
      svg: track
        ? renderToStaticMarkup(createElement(TrackOutline, { name: venue.slug }))
        : renderToStaticMarkup(createElement(Silks, { name: venue.name, label: venue.name })),
      width: 360,
      height: track ? 137 : 340,
    },
  });
}

function slugParam(c: HttpContext): string {
  return (c.req.param("file") ?? "").replace(/\.png$/, "");
}

async function pngResponse(c: HttpContext, image: ShareImage): Promise<Response> {
  const png = await renderShareImage(image);
  c.header("Content-Type", "image/png");
  c.header("Cache-Control", "public, max-age=3600");
  return c.body(new Uint8Array(png));
}
