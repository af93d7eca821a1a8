import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Part, Prose } from "./prose.tsx";

export function AboutScreen() {
  return (
    <Prose
      title="About Leadline"
      lead="A calling tool for sales teams: a phone in the browser, the leads beside it, and the log of what was said, on a server of your own."
    >
      <Part title="The name">
        <p>
          A lead line is the rope with a weight at its end by which sailors sounded the depth before they went on. A
          good first call does the same.
        </p>
      </Part>
      <Part title="What it is">
        <p>
          Open-source software under the MIT licence. The administrator of this server downloaded it and runs it; nobody
          else has a hand in it. There is no Leadline company behind it that collects accounts, calls or money.
        </p>
        <p>
          One process carries everything: the web pages, the calls’ sound, the database. Carriers and CRMs connect
          through small adapters that anybody can read, and add to.
        </p>
      </Part>
      <Part title="What it holds to">
        <ul>
          <li>Your data stays on the server: no analytics, no fonts or scripts from elsewhere.</li>
          <li>A call outlives a reloaded page, a cut network and, where it can, a fault.</li>
          <li>An organisation sees its own and nothing else, by the database’s own rules.</li>
          <li>Limits stand in front of money: countries, calls at a time, spending a day.</li>
        </ul>
      </Part>
      <Part title="Where to go on">
        <p>
          The{" "}
          <Link to="/faq" className={textLinkLook}>
            questions and answers
          </Link>
          , or{" "}
          <Link to="/register" className={textLinkLook}>
            make an account
          </Link>{" "}
          and call the sandbox. Programs find the API at{" "}
          <a href="/api/docs" className={textLinkLook}>
            /api/docs
          </a>
          .
        </p>
      </Part>
    </Prose>
  );
}
