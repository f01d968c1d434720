import { venues } from "./tables.server.ts";

export type Venue = {
  id: string;
  slug: string;
  name: string;
  location: string;
  totalRaces: number;
  isActive: boolean;
};

/** The columns a venue is read by. */
export const venueColumns = {
  id: venues.id,
  slug: venues.slug,
  name: venues.name,
  location: venues.location,
  totalRaces: venues.totalRaces,
  isActive: venues.isActive,
};
