import { createHash, generateKeyPairSync, sign, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  formatCosignedText,
  parseWitnessKey,
  type WitnessKey,
} from "#domain/proof/cosignature.server.ts";
import { hashNode } from "#domain/proof/merkle-tree.ts";

type Answer = { status: number; body?: string; contentType?: string };
/** Replaces the response of an honest witness. */
export type WitnessBehaviour = (honest: () => Answer, note: string) => Answer;

/** A local witness (C2SP tlog-witness). It refuses a checkpoint that is not consistent with the last one. */
export class FakeWitness {
  readonly verifierKey: string;
  readonly key: WitnessKey;
  /** The newest checkpoint that it cosigned. */
  cosigned = { size: 0, root: "" };
  /** The old size in each request, oldest first. */
  readonly oldSizes: number[] = [];
  behaviour: WitnessBehaviour | null = null;
  url = "";
  readonly #name: string;
  readonly #keys = generateKeyPairSync("ed25519");
  readonly #now: () => Date;
  readonly #readLogKey: () => Promise<string>;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** `readLogKey` returns the verifier key of the log that it knows. */
  constructor(name: string, now: () => Date, readLogKey: () => Promise<string>) {
    this.#name = name;
    this.#now = now;
    this.#readLogKey = readLogKey;
    const x = this.#keys.publicKey.export({ format: "jwk" }).x ?? "";
    const typed = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url")]);
    const id = createHash("sha256").update(`${name}\n`).update(typed).digest().subarray(0, 4);
    this.verifierKey = `${name}+${id.toString("hex")}+${typed.toString("base64")}`;
    const key = parseWitnessKey(this.verifierKey);
    if (!key) throw new Error("the key of the fake witness cannot be parsed");
    this.key = key;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/submit/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns a signature line of this witness for a note. */
  cosign(note: string, at = this.#now()): string {
    const seconds = BigInt(Math.floor(at.getTime() / 1000));
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(seconds);
    const text = Buffer.from(formatCosignedText(note, seconds));
    const signature = sign(null, text, this.#keys.privateKey);
    const bytes = Buffer.concat([this.key.id, time, signature]);
    return `— ${this.#name} ${bytes.toString("base64")}\n`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const [, head = "", note = ""] = /^(.*?)\n\n(.*)$/s.exec(body) ?? [];
    const [old = "", ...proof] = head.split("\n");
    this.oldSizes.push(Number(old.replace("old ", "")));
    const logKey = await this.#readLogKey();
    const honest = () =>
      request.url === "/submit/add-checkpoint" && /^old \d+$/.test(old)
        ? this.#addCheckpoint(Number(old.slice(4)), proof, note, logKey)
        : { status: 400 };
    const answer = this.behaviour ? this.behaviour(honest, note) : honest();
    response.writeHead(answer.status, { "Content-Type": answer.contentType ?? "text/plain" });
    response.end(answer.body);
  }

  #addCheckpoint(oldSize: number, proof: string[], note: string, logKey: string): Answer {
    const [origin, sizeText, root = ""] = note.split("\n");
    const size = Number(sizeText);
    if (!logKey.startsWith(`${origin}+`)) return { status: 404 };
    if (!isSignedBy(logKey, note)) return { status: 403 };
    if (oldSize > size) return { status: 400 };
    const conflict = {
      status: 409,
      contentType: "text/x.tlog.size",
      body: `${this.cosigned.size}\n`,
    };
    if (oldSize !== this.cosigned.size) return conflict;
    if (oldSize === size && root !== this.cosigned.root) return conflict;
    const hashes = proof.map((line) => Buffer.from(line, "base64"));
    const isProven =
      oldSize === 0
        ? hashes.length === 0
        : verifyConsistency(
            { size: oldSize, root: Buffer.from(this.cosigned.root, "base64") },
            { size, root: Buffer.from(root, "base64") },
            hashes,
          );
    if (!isProven) return { status: 422 };
    this.cosigned = { size, root };
    return { status: 200, body: this.cosign(note) };
  }
}

function isSignedBy(verifierKey: string, note: string): boolean {
  const publicKey = Buffer.from(verifierKey.split("+").slice(2).join("+"), "base64").subarray(1);
  const [, text = "", encoded = ""] = /^(.*?\n)\n— \S+ (\S+)\n/s.exec(note) ?? [];
  return verify(
    null,
    Buffer.from(text),
    {
      key: { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") },
      format: "jwk",
    },
    Buffer.from(encoded, "base64").subarray(4),
  );
}

type Tree = { size: number; root: Buffer };

/** Verifies a consistency proof by the algorithm of RFC 9162, 2.1.4.2. */
export function verifyConsistency(old: Tree, tree: Tree, proof: readonly Buffer[]): boolean {
  if (old.size === tree.size) return proof.length === 0 && old.root.equals(tree.root);
  const path = [...proof];
  if (path.length === 0) return false;
  if (Number.isInteger(Math.log2(old.size))) path.unshift(old.root);
  let [node, last] = [old.size - 1, tree.size - 1];
  const ascend = () => {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  };
  while (node % 2 === 1) ascend();
  let [oldRoot, root] = [path[0]!, path[0]!];
  for (const hash of path.slice(1)) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldRoot = hashNode(hash, oldRoot);
      root = hashNode(hash, root);
      while (node % 2 === 0 && node !== 0) ascend();
    } else root = hashNode(root, hash);
    ascend();
  }
  return last === 0 && oldRoot.equals(old.root) && root.equals(tree.root);
}
