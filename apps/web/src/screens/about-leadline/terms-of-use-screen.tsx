import { Part, Prose } from "./prose.tsx";

export function TermsOfUseScreen() {
  return (
    <Prose
      title="Terms of use"
      lead="For everybody with an account on this server. Its administrator may add terms of their own."
    >
      <Part title="The software">
        <p>
          Leadline is open-source software under the MIT licence: it may be used, copied and changed, and comes without
          warranty of any kind. These terms are about using this server, not about the software.
        </p>
      </Part>
      <Part title="Your account">
        <p>
          It is for one person. Choose a password that you use nowhere else, keep it to yourself, and end sessions that
          you do not know. What is done with your account counts as done by you until you say otherwise.
        </p>
      </Part>
      <Part title="Calling people">
        <ul>
          <li>Call only whom the law where you are and where they are lets you call, and at the hours it allows.</li>
          <li>Respect do-not-call lists, and anyone who asks you not to call again.</li>
          <li>Show no caller ID that is not your organisation’s own.</li>
          <li>Do not use Leadline to deceive, to harass, or to dial by machine.</li>
        </ul>
      </Part>
      <Part title="No emergency calls">
        <p>Leadline cannot be used to call emergency services. Have a telephone at hand.</p>
      </Part>
      <Part title="Money">
        <p>
          Calls through the sandbox carrier are free. What real carriers charge depends on the operator and the carrier:
          Leadline reckons with the price a minute that an organisation’s owner has typed, and the carrier’s bill is
          what holds. Limits for spending and countries are set under Settings, Limits.
        </p>
      </Part>
      <Part title="When it does not work">
        <p>
          This server may be slow, stop or lose data: it is run as well as its operator runs it. Keep copies of what you
          cannot do without. An operator may close an account that breaks these terms.
        </p>
      </Part>
    </Prose>
  );
}
