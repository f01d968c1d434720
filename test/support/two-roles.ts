import { randomUUID } from "node:crypto";
import { Client } from "pg";

/**
 * An empty database with an owner role and an application role, as described in docs/operations.md.
 */
export type TwoRoleDatabase = {
  ownerUrl: string;
  applicationUrl: string;
  drop(): Promise<void>;
};

/** Creates both roles and the database on the server of a superuser URL. */
export async function makeTwoRoleDatabase(superuserUrl: string): Promise<TwoRoleDatabase> {
  const name = `two_roles_${randomUUID().slice(0, 8)}`;
  const roles = [`${name}_owner`, `${name}_app`];
  for (const role of roles)
    await runQuery(superuserUrl, `create role ${role} login password 'a-password'`);
  await runQuery(superuserUrl, `create database ${name} owner ${name}_owner`);
  const createUrl = (username: string) => {
    const url = new URL(superuserUrl);
    return Object.assign(url, { username, password: "a-password", pathname: `/${name}` }).href;
  };
  return {
    ownerUrl: createUrl(`${name}_owner`),
    applicationUrl: createUrl(`${name}_app`),
    drop: async () => {
      await runQuery(superuserUrl, `drop database if exists ${name} with (force)`);
      for (const role of roles) await runQuery(superuserUrl, `drop role ${role}`);
    },
  };
}

/** Runs one query on its own connection. */
export async function runQuery(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
