import { Part, Prose } from "./prose.tsx";

export function TermsOfUseScreen() {
  return (
    <Prose
      title="Terms of use"
      lead="For everyone with an account on this server. Its administrator may add other terms."
    >
      <Part title="The software">
        <p>
          Leadline is open-source software under the MIT licence: it may be used, copied and changed, and comes without
          warranty of any kind. These terms are about using this server, not about the software.
        </p>
      </Part>
      <Part title="Your account">
        <p>
          An account is for one person. Choose a password that you use nowhere else, keep it secret, and end any session
          you don’t recognise. You are responsible for what happens under your account until you report a problem.
        </p>
      </Part>
      <Part title="Calling people">
        <ul>
          <li>Follow the law where you are and where the people you call are, including on calling hours.</li>
          <li>Respect do-not-call lists, and anyone who asks you not to call again.</li>
          <li>Show only caller IDs that belong to your organisation.</li>
          <li>Don’t use Leadline to deceive, harass or robocall.</li>
        </ul>
      </Part>
      <Part title="No emergency calls">
        <p>You can’t call emergency services with Leadline. Keep a telephone within reach.</p>
      </Part>
      <Part title="Money">
        <p>
          The prices of the sandbox carrier are made up, and nobody is charged. Real carriers charge their own prices.
          Leadline counts costs by the rates that were entered or read from the carrier, but the carrier’s bill is what
          counts. Set spending and country limits under Settings, Limits.
        </p>
      </Part>
      <Part title="Availability">
        <p>
          This server may be slow, stop or lose data. Keep copies of anything you can’t do without. The administrator
          may close an account that breaks these terms.
        </p>
      </Part>
    </Prose>
  );
}
