import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CrmLeadChange, CrmWrittenField, NewCrmLead } from "../crm-lead-writer.ts";
import type { Tested } from "../crm-conformance.ts";
import { faultOf } from "./crm-hands.ts";
import { troublesOfWriting } from "./crm-troubles.ts";

const values: CrmLeadChange["values"] = {
  firstName: "Rosalind",
  lastName: "Quarry",
  email: "",
  phone: "+12025550177",
  company: "Stone & Sons",
  jobTitle: "Mason",
  nextStep: "",
  status: "",
  owner: "",
};
const texts = ["firstName", "lastName", "email", "phone", "company", "jobTitle"] as const;

const changeOf = (lead: NewCrmLead, change: Partial<CrmLeadChange["values"]>): CrmLeadChange => ({
  values: { ...lead.values, ...change },
  changed: texts.filter((field) => field in change),
});

/** A lead of its own for each test. */
const beginning = ({ test, connect, mapping }: Tested) =>
  async function begin(name: string) {
    const md5 = createHash("md5").update(name).digest("hex");
    const leadId = md5.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
    const email = `${md5}@stone.example`;
    const lead: NewCrmLead = { leadId, today: "2026-03-01", values: { ...values, email }, changed: texts };
    const standing = () =>
      test()
        .leads()
        .filter((each) => each.email === email);
    return { writer: test().crm.leads, grant: await connect(), chosen: await mapping(), lead, standing };
  };

export function describeWriting(tested: Tested): void {
  const { test, read, readSome } = tested;
  const begin = beginning(tested);

  describe("leads that are written", () => {
    it("are created with their values, and found again", async ({ task }) => {
      const { writer, grant, chosen, lead, standing } = await begin(task.name);
      expect(await writer.find(grant, lead, chosen)).toBeNull();
      const id = await writer.create(grant, lead, chosen);
      const { status: _, owner: __, ...written } = lead.values;
      expect(standing()).toEqual([expect.objectContaining({ id, ...written })]);
      expect(await writer.find(grant, lead, chosen)).toBe(id);
      expect((await readSome(grant, [id])).leads).toMatchObject([{ externalId: id, ...written }]);
    });

    it.each([
      ["lost", { loseAnswer: true }],
      ["cut", { cutsAnswer: true }],
    ])("are found if the response to their creation was %s", async (how, fault) => {
      const { writer, grant, chosen, lead, standing } = await begin(`creating ${how}`);
      test().fail({ ...fault, ofLead: true });
      expect(await faultOf(writer.create(grant, lead, chosen))).toBe("unreachable");
      expect(await writer.find(grant, lead, chosen)).toBe(standing()[0]?.id);
      expect(standing()).toHaveLength(1);
    });

    it("are updated in the changed fields only, and emptied", async ({ task }) => {
      const { writer, grant, chosen, lead, standing } = await begin(task.name);
      const id = await writer.create(grant, lead, chosen);
      const change = { company: "Granite", jobTitle: "" };
      expect(await writer.update(grant, id, changeOf(lead, change), chosen)).toBe("written");
      const { status: _, owner: __, ...written } = { ...lead.values, ...change };
      expect(standing()).toMatchObject([written]);
      const phone = "+12025550188";
      const others = { ...changeOf(lead, { phone }), values: { ...lead.values, company: "Stale", phone } };
      await writer.update(grant, id, others, chosen);
      expect(standing()).toMatchObject([{ company: "Granite", phone }]);
    });

    it("take a status that the CRM describes", async ({ task }) => {
      const { writer, grant, chosen, lead } = await begin(task.name);
      const fields = await test().crm.sources.describeFields(grant, chosen.source);
      const options = fields.find(({ id }) => id === chosen.fields.status)?.options ?? [];
      const working = options.find(({ status }) => status === "Working")?.value ?? "";
      const id = await writer.create(grant, lead, chosen);
      const change = { values: { ...lead.values, status: working }, changed: ["status"] as const };
      expect(await writer.update(grant, id, change, chosen)).toBe("written");
      const [now] = (await readSome(grant, [id])).leads;
      expect(now).toMatchObject({ status: "Working", statusValue: `${chosen.fields.status}\n${working}` });
    });

    it("take an owner whom the CRM knows, and no other", async ({ task }) => {
      const { writer, grant, chosen, lead } = await begin(task.name);
      const known = (await read(grant, null)).leads.flatMap(({ owner }) => (owner?.email ? [owner] : []));
      const [owner] = known;
      const value = (await writer.ownerValue(grant, owner ?? null, chosen)) ?? "";
      const id = await writer.create(
        grant,
        { ...lead, values: { ...lead.values, owner: value }, changed: [...texts, "owner"] },
        chosen,
      );
      expect((await readSome(grant, [id])).leads[0]?.owner).toEqual(owner);
      const other = known.find(({ email }) => email !== owner?.email) ?? null;
      const next = (await writer.ownerValue(grant, other, chosen)) ?? "";
      const change = { values: { ...lead.values, owner: next }, changed: ["owner"] as const };
      expect(await writer.update(grant, id, change, chosen)).toBe("written");
      expect((await readSome(grant, [id])).leads[0]?.owner).toEqual(other);
      const stranger = { name: "O'Nobody \\", email: "o'nobody@elsewhere.example" };
      expect(await writer.ownerValue(grant, stranger, chosen)).toBeNull();
    });

    it("report that they were deleted in the CRM", async ({ task }) => {
      const { writer, grant, chosen, lead } = await begin(task.name);
      const gone = await test().deleteLead();
      expect(await writer.update(grant, gone, changeOf(lead, { company: "Granite" }), chosen)).toBe("gone");
    });

    it("are refused in plain words, without being written, if a value isn't accepted", async ({ task }) => {
      const { writer, grant, chosen, lead, standing } = await begin(task.name);
      const wrong = { ...lead, values: { ...lead.values, email: "nonsense" } };
      const isPlain = { fault: "refused", message: expect.stringMatching(/didn’t accept it: .*email/i) };
      const before = test().leadCount();
      await expect(writer.create(grant, wrong, chosen)).rejects.toMatchObject(isPlain);
      expect(test().leadCount()).toBe(before);
      const id = await writer.create(grant, lead, chosen);
      const change = changeOf(lead, { email: "nonsense" });
      await expect(writer.update(grant, id, change, chosen)).rejects.toMatchObject(isPlain);
      expect(standing()).toHaveLength(1);
    });

    it("keep what belongs to one field of the CRM together", async ({ task }) => {
      const { writer, grant, chosen, lead, standing } = await begin(task.name);
      const { lastName } = chosen.fields;
      const whole = { ...chosen, fields: { ...chosen.fields, fullName: lastName, firstName: null, lastName: null } };
      const id = await writer.create(grant, { ...lead, changed: ["lastName", ...texts] }, whole);
      expect(standing()).toMatchObject([{ lastName: "Rosalind Quarry" }]);
      const change = changeOf(lead, { firstName: "Rosa" } satisfies Partial<Record<CrmWrittenField, string>>);
      await writer.update(grant, id, change, whole);
      expect(standing()).toMatchObject([{ lastName: "Rosa Quarry" }]);
    });
  });
}

export function describeWritingInTrouble(tested: Tested): void {
  const { test, read } = tested;
  const begin = beginning(tested);

  describe("leads that are written in trouble", () => {
    it.each(troublesOfWriting)(
      "fail on %s without being written, with the delay to retry after",
      async (trouble, fault, expected) => {
        const { writer, grant, chosen, lead, standing } = await begin(`writing in ${trouble}`);
        test().fail({ ...fault, ofLead: true });
        await expect(writer.find(grant, lead, chosen)).rejects.toMatchObject(expected);
        test().fail({ ...fault, ofLead: true });
        await expect(writer.create(grant, lead, chosen)).rejects.toMatchObject(expected);
        expect(standing()).toEqual([]);
        const id = await writer.create(grant, lead, chosen);
        test().fail({ ...fault, ofLead: true });
        await expect(writer.update(grant, id, changeOf(lead, { company: "Granite" }), chosen)).rejects.toMatchObject(
          expected,
        );
        expect(standing()).toMatchObject([{ company: lead.values.company }]);
      },
    );

    it("are refused once access has ended", async ({ task }) => {
      const { writer, grant, chosen, lead } = await begin(task.name);
      const [known] = (await read(grant, null)).leads;
      const change = changeOf(lead, { company: "Granite" });
      test().expireAccess();
      expect(await faultOf(writer.find(grant, lead, chosen))).toBe("access-refused");
      expect(await faultOf(writer.create(grant, lead, chosen))).toBe("access-refused");
      expect(await faultOf(writer.update(grant, known?.externalId ?? "", change, chosen))).toBe("access-refused");
    });
  });
}
