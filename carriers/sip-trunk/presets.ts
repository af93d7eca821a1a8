import type { CarrierPreset } from "@leadline/adapter-kit/carrier-preset";
import type { z } from "zod";
import type { settings } from "./settings.ts";

type Given = Partial<z.input<typeof settings>>;
type Entry = Omit<CarrierPreset, "of" | "asks" | "settings"> & { settings: Given };

/** Providers whose servers are known. Ports are the trunk's defaults: 5060 for UDP and TCP, 5061 for TLS. */
const providers: readonly Entry[] = [
  {
    id: "callcentric",
    name: "Callcentric",
    settings: { host: "sip.callcentric.net", authentication: "register" },
    note: "The user is the 11-digit account number that starts with 1777, with the extension if it has one.",
    source: "https://www.callcentric.com/support/device/other",
  },
  {
    id: "didww",
    name: "DIDWW (calls out)",
    settings: { host: "nyc.us.out.didww.com", transport: "tls", authentication: "digest" },
    note: "Add this server’s IP address to the trunk’s Allowed SIP IP addresses. Other locations have other servers, such as fra.eu.out.didww.com.",
    source: "https://doc.didww.com/voice/outbound-trunks/outbound-sip-information.html",
  },
  {
    id: "dus-net",
    name: "dus.net",
    settings: { host: "secure.dus.net:5061", transport: "tls", authentication: "register" },
    note: "Calls are encrypted. Without encryption, the server is proxy.dus.net over UDP.",
    source: "https://www.dus.net/de/sip",
  },
  {
    id: "easybell",
    name: "easybell",
    settings: { host: "voip.easybell.de", authentication: "register" },
    note: "User and password are in my.easybell under Phone Settings. The Cloud PBX has another server, pbx.easybell.de.",
    source:
      "https://www.easybell.de/hilfe/telefon-konfiguration/allgemein/allgemeine-anleitung-zur-voip-konfiguration/",
  },
  {
    id: "flowroute",
    name: "Flowroute",
    settings: {
      host: "us-west-or.sip.flowroute.com",
      authentication: "register",
      callerIdHeader: "p-asserted-identity",
    },
    note: "User and password are under Interconnection, Registration. Use the point of presence that is shown there if it’s another one.",
    source: "https://support.bcmone.com/flowroute-support/docs/flowroute-service-guide-technical-specifications",
  },
  {
    id: "ovhcloud",
    name: "OVHcloud",
    settings: { host: "sip3.ovh.fr", authentication: "register" },
    note: "The user is the number with 0033 in front. Use the server that the OVHcloud Control Panel shows if it’s another one.",
    source: "https://help.ovhcloud.com/csm/en-voip-sip-configuration?id=kb_article_view&sysparm_article=KB0050344",
  },
  {
    id: "sipgate",
    name: "sipgate",
    settings: { host: "sipconnect.sipgate.de", authentication: "register" },
    note: "The user is the SIP-ID of the trunk, such as e12345p0.",
    source: "https://github.com/sipgate/sipgate-sip-stream-bridge",
  },
  {
    id: "voip-ms",
    name: "VoIP.ms",
    settings: { host: "atlanta1.voip.ms", authentication: "register" },
    note: "Choose “IP PBX” as the device type in Account Settings. A server near you, such as toronto1.voip.ms, must be the one that your number uses.",
    source: "https://wiki.voip.ms/article/Servers",
  },
  {
    id: "vonage",
    name: "Vonage SIP",
    settings: { host: "sip.nexmo.com", transport: "udp", authentication: "register" },
    note: "The user is the API key, the password the API secret.",
    source: "https://developer.vonage.com/en/sip/configure/asterisk-legacy",
  },
  {
    id: "zadarma",
    name: "Zadarma",
    settings: { host: "sip.zadarma.com", authentication: "register" },
    note: "The user is the SIP login from Settings, SIP. Its caller ID is set at Zadarma.",
    source: "https://zadarma.com/en/support/instructions/asteriskpjsip/trunk/",
  },
];

const extension: Given = { authentication: "register", callerIdHeader: "p-asserted-identity" };
/** PBXes, where Leadline is an extension. The server is the organisation's own. */
const pbxes: readonly (Entry & { asks?: readonly string[] })[] = [
  {
    id: "asterisk",
    name: "Asterisk or FreePBX",
    settings: { ...extension, transport: "udp" },
    note: "Create a PJSIP extension, and allow it as many contacts and calls as your team needs at once.",
    source: "https://docs.asterisk.org/Configuration/Channel-Drivers/SIP/Configuring-res_pjsip/",
  },
  {
    id: "freeswitch",
    name: "FreeSWITCH or FusionPBX",
    settings: { ...extension, transport: "udp" },
    note: "Create a user in the directory. The server is the domain of the directory.",
    source: "https://developer.signalwire.com/freeswitch/",
  },
  {
    id: "3cx",
    name: "3CX",
    settings: extension,
    asks: ["host", "user", "authenticationUser", "password"],
    note: "The user is the extension number, the authentication user its Auth ID.",
    source: "https://www.3cx.com/docs/",
  },
  {
    id: "fritzbox",
    name: "FRITZ!Box",
    settings: { ...extension, host: "fritz.box", transport: "udp" },
    note: "Create an IP telephone under Telephony devices. Its address must be allowed with PRIVATE_NETWORKS on Leadline’s server.",
    source: "https://fritz.com/en/service/knowledge-base/",
  },
  {
    id: "kamailio",
    name: "Kamailio",
    settings: { ...extension, callerIdHeader: "from" },
    note: "Its configuration is in docs/TRUNKS.md.",
    source: "https://www.kamailio.org/docs/modules/5.6.x/modules/registrar.html",
  },
];

/** Taken from the providers' documentation. None has been tried with the provider itself. */
export const presets: readonly CarrierPreset[] = [
  ...providers.map((entry) => ({ ...entry, of: "provider" as const, asks: ["user", "password"] })),
  ...pbxes.map(({ asks = ["host", "user", "password"], ...entry }) => ({ ...entry, of: "pbx" as const, asks })),
];
