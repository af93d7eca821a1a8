import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Part, Prose } from "./prose.tsx";

export function AboutScreen() {
  return (
    <Prose
      title="About Leadline"
      lead="A calling tool for sales teams: a phone in the browser, with your leads and call log, on your own server."
    >
      <Part title="The name">
        <p>
          Sailors used a lead line, a rope with a weight at its end, to measure the depth of the water ahead. A good
          first call does the same.
        </p>
      </Part>
      <Part title="What it is">
        <p>
          Open-source software under the MIT licence. The administrator of this server installed it and runs it. There
          is no Leadline company that collects accounts, calls or money.
        </p>
        <p>
          One process serves the web pages, carries the audio of calls and runs the database. Carriers and CRMs connect
          through small adapters that anyone can read and extend.
        </p>
      </Part>
      <Part title="Principles">
        <ul>
          <li>Your data stays on the server: no analytics, no third-party fonts or scripts.</li>
          <li>Calls survive page reloads, network drops and, where possible, server faults.</li>
          <li>The database itself keeps each organisation’s data separate.</li>
          <li>Limits keep costs under control: allowed countries, simultaneous calls and daily spending.</li>
        </ul>
      </Part>
      <Part title="Next steps">
        <p>
          Read the{" "}
          <Link to="/faq" className={textLinkLook}>
            questions and answers
          </Link>
          , or{" "}
          <Link to="/register" className={textLinkLook}>
            create an account
          </Link>{" "}
          and call the sandbox. The API is documented at{" "}
          <a href="/api/docs" className={textLinkLook}>
            /api/docs
          </a>
          .
        </p>
      </Part>
    </Prose>
  );
}
