import { page, type SandboxResponse } from "../exchange.ts";
import { missingPage, recordPage } from "../record-page.ts";
import { propertiesOf } from "./properties.ts";
import type { State } from "./store.ts";

/** The pages of calls and contacts. */
export function createRecordPages(state: State) {
  function showCall(id: string): SandboxResponse {
    const call = state.calls.find((one) => one.id === id);
    if (call === undefined) return page(404, missingPage());
    const of = (name: string): string => call.properties[name] ?? "";
    const contactId = state.associations.find(({ from }) => from === `calls/${id}`)?.to.split("/")[1];
    const contact = state.contacts.find((one) => one.id === contactId)?.properties ?? {};
    const fields = [
      ["Activity date", of("hs_timestamp")],
      ["Direction", of("hs_call_direction")],
      ["Status", of("hs_call_status")],
      ["Duration", of("hs_call_duration") && `${Number(of("hs_call_duration")) / 1_000} s`],
      ["Notes", textOf(of("hs_call_body"))],
    ] as const;
    const name = `${contact["firstname"] ?? ""} ${contact["lastname"] ?? ""}`.trim();
    return page(200, recordPage({ title: of("hs_call_title"), of: name, fields }));
  }

  function showContact(id: string): SandboxResponse {
    const contact = state.contacts.find((one) => one.id === id && one.archivedMs === null);
    if (contact === undefined) return page(404, missingPage());
    const of = (name: string): string => contact.properties[name] ?? "";
    const shown = ["jobtitle", "company", "email", "phone", "mobilephone", "hs_lead_status"];
    const fields = propertiesOf.contacts
      .filter(({ name }) => shown.includes(name))
      .map(({ name, label }) => [label, of(name)] as const);
    return page(200, recordPage({ title: `${of("firstname")} ${of("lastname")}`.trim(), of: "Contact", fields }));
  }

  return { showCall, showContact };
}

/** The text of HTML, which is stored as received. */
export const textOf = (html: string): string =>
  html.replaceAll("<br>", "\n").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
