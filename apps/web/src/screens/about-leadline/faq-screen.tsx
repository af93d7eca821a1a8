import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Part, Prose } from "./prose.tsx";

export function FaqScreen() {
  return (
    <Prose
      title="Questions and answers"
      lead="What people ask before their first call, and when something doesn’t work."
    >
      <Part title="What do I need to call?">
        <p>
          A current browser, a microphone and an organisation. Create an organisation or accept an invitation to one.
          Then open Calls, enter a number and select Call.
        </p>
      </Part>
      <Part title="Can I try it without a carrier or money?">
        <p>
          Yes. Leadline includes a sandbox carrier that simulates the people you call, with real audio and made-up
          prices. Call +1 202 555 0100 to hear a voice, or +1 202 555 0101 to hear yourself. Nothing leaves the server.
        </p>
      </Part>
      <Part title="How do I call real numbers and receive calls?">
        <p>
          An owner connects a carrier under Settings, Carriers: an account by its API key, or a SIP trunk or phone
          system by the provider’s details. Calls to your numbers then ring for every colleague who has Leadline open
          and isn’t on a call. The first to answer gets the call. Unanswered calls are listed as missed.
        </p>
      </Part>
      <Part title="Why can’t Leadline find my microphone?">
        <p>
          Browsers allow the microphone on secure pages only: an https address, or localhost. If you blocked it before,
          allow the microphone in the browser’s site settings and reload. The gear next to the dial pad shows which
          microphone is in use and its level.
        </p>
      </Part>
      <Part title="Does a call end when I reload the page or the network drops?">
        <p>
          No. The server carries the call, not the page. After a reload you can rejoin the call, and after a network
          drop the audio reconnects by itself. A call with no open page ends after 15 seconds.
        </p>
      </Part>
      <Part title="Why does Leadline refuse the number I entered?">
        <p>
          Enter the number with its country code, such as +44 20 7946 0000. Without one, Leadline assumes your
          organisation’s default country. You can call allowed countries only: at first your default country, and never
          premium-rate, shared-cost or satellite numbers. An admin can allow more countries under Settings, Limits.
        </p>
      </Part>
      <Part title="I forgot my password.">
        <p>
          <Link to="/forgot-password" className={textLinkLook}>
            Request a link
          </Link>{" "}
          to set a new one. It works once, within an hour. If no email arrives, this server may not have a mail server.
          Its administrator can then find the link on the server.
        </p>
      </Part>
      <Part title="How do colleagues join?">
        <p>
          An admin invites them by email under Settings, Members. The link works once, within seven days, with or
          without an existing account.
        </p>
      </Part>
      <Part title="Who can see my calls and leads?">
        <p>
          The members of the organisation they belong to, and the administrator of the server. Other organisations on
          the same server can’t: the database itself prevents it. The{" "}
          <Link to="/privacy-policy" className={textLinkLook}>
            privacy policy
          </Link>{" "}
          explains what is stored.
        </p>
      </Part>
      <Part title="Can I call 112, 911 or another emergency number?">
        <p>No. Leadline can’t make emergency calls. Use a telephone.</p>
      </Part>
    </Prose>
  );
}
