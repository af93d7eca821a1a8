import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Part, Prose } from "./prose.tsx";

export function FaqScreen() {
  return (
    <Prose title="Questions and answers" lead="What people ask before they talk, and when they cannot hear.">
      <Part title="What do I need to call?">
        <p>
          A current browser, a microphone, and an organisation. Make an organisation or take an invitation to one; then
          open Calls, type a number and press Call.
        </p>
      </Part>
      <Part title="Can I try it without a carrier or money?">
        <p>
          Yes. The sandbox carrier is part of Leadline and plays the other end with real sound, free of charge: +1 202
          555 0100 answers and speaks, +1 202 555 0101 echoes what you say. Nothing leaves the server.
        </p>
      </Part>
      <Part title="How do I call real numbers, and am I called back?">
        <p>
          Connect your SIP trunk or phone system: an owner fills in what your provider gave you under Settings,
          Carriers, and tests the connection. Calls to your numbers then ring in the browser of every colleague who has
          Leadline open and is in no call. The first who answers has it; what nobody answers is listed as missed.
        </p>
      </Part>
      <Part title="Why is my microphone not found?">
        <p>
          Browsers give a microphone to secure pages only: an https address, or localhost. If you once said no, allow
          the microphone in the browser’s settings for this site and reload. The gear beside the dial pad shows which
          microphone is used and whether it hears you.
        </p>
      </Part>
      <Part title="Does a call end when I reload the page or the network drops?">
        <p>
          No. The server carries the call, not the page. A reloaded page offers to take the call back, and a network
          that comes back is found again on the same call. A call with no page left ends after 15 seconds.
        </p>
      </Part>
      <Part title="Why does Leadline refuse the number I typed?">
        <p>
          Write it with its country, such as +44 20 7946 0000; without one it is taken to be in your organisation’s
          default country. Calls go to allowed countries only, at first that one country, and never to premium-rate,
          shared-cost or satellite numbers. An admin allows more under Settings, Limits.
        </p>
      </Part>
      <Part title="I forgot my password.">
        <p>
          <Link to="/forgot-password" className={textLinkLook}>
            Ask for a link
          </Link>{" "}
          that sets a new one. It works once, within an hour. If no mail comes, the administrator of this server may not
          have set up a mail server; the link is then on the server.
        </p>
      </Part>
      <Part title="How do colleagues join?">
        <p>
          An admin invites them by mail under Settings, Members. The link works once, for seven days, for people with an
          account and for people without.
        </p>
      </Part>
      <Part title="Who can see my calls and leads?">
        <p>
          The members of the organisation in which you made them, and the administrator of the server. No other
          organisation on the same server can: the database itself refuses it. The{" "}
          <Link to="/privacy-policy" className={textLinkLook}>
            privacy policy
          </Link>{" "}
          says what is kept.
        </p>
      </Part>
      <Part title="Can I call 112, 911 or another emergency number?">
        <p>No. Leadline is not for emergency calls. Use a telephone.</p>
      </Part>
    </Prose>
  );
}
