import fc from "fast-check";
import { expect, test } from "vitest";
import { FakeWitness } from "#test/fake-witness.ts";
import { findCosignature, formatCosignedText, parseWitnessKey } from "./cosignature.server.ts";

const NOTE = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;
const AT = new Date("2023-03-20T12:12:27Z");
const witness = new FakeWitness(
  "witness.example/w1",
  () => AT,
  async () => "",
);
const other = new FakeWitness(
  "witness.example/w1",
  () => AT,
  async () => "",
);

test("a witness signs the text of C2SP tlog-cosignature", () => {
  expect(formatCosignedText(NOTE, 1679315147n)).toBe(`cosignature/v1
time 1679315147
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`);
});

test("a cosignature is found among lines of other keys, with its time", () => {
  const line = witness.cosign(NOTE);
  const lines = `${other.cosign(NOTE)}— unknown.example AAAA\nnonsense\n${line}`;
  expect(findCosignature(lines, NOTE, witness.key)).toEqual({ line, time: AT });
});

test("a cosignature of another note, key, name or time is not found", () => {
  const line = witness.cosign(NOTE);
  expect(findCosignature(line, NOTE.replace("20852163", "20852164"), witness.key)).toBeNull();
  expect(findCosignature(line, NOTE, other.key)).toBeNull();
  expect(findCosignature(line.replace("/w1", "/w2"), NOTE, witness.key)).toBeNull();
  // A signature under the id of the witness, made with another key.
  const forged = Buffer.from(other.cosign(NOTE).split(" ")[2] ?? "", "base64");
  witness.key.id.copy(forged);
  const forgedLine = `— witness.example/w1 ${forged.toString("base64")}\n`;
  expect(findCosignature(forgedLine, NOTE, witness.key)).toBeNull();
  expect(findCosignature("", NOTE, witness.key)).toBeNull();
});

test("a cosignature with any changed byte is not found", () => {
  const bytes = Buffer.from(witness.cosign(NOTE).split(" ")[2] ?? "", "base64");
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const changed = Buffer.from(bytes);
      changed[position]! ^= change;
      const line = `— witness.example/w1 ${changed.toString("base64")}\n`;
      expect(findCosignature(line, NOTE, witness.key)).toBeNull();
    }),
  );
});

test("a verifier key of another type, with another id or form is refused", () => {
  const [name, id, key = ""] = witness.verifierKey.split(
    /\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/,
  );
  expect(parseWitnessKey(`${name}+${id}+${key}`)?.name).toBe("witness.example/w1");
  const log = "furlong.example/proof/log+59e82e9c+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs";
  for (const text of [
    log,
    `${name}+00000000+${key}`,
    `other.example+${id}+${key}`,
    `${name}+${id}+${key.slice(4)}`,
    `${name}+${id}`,
    "",
  ])
    expect(parseWitnessKey(text), text).toBeNull();
});
