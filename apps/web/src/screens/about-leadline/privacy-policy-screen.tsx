import { Part, Prose } from "./prose.tsx";

export function PrivacyPolicyScreen() {
  return (
    <Prose
      title="Privacy policy"
      lead="What this software stores, where, and for how long. The administrator of this server is responsible for it and may have additional rules."
    >
      <Part title="What is stored about you">
        <ul>
          <li>Your name, your email address and, if you choose one, a picture.</li>
          <li>Your password as an argon2id hash, never in plain text.</li>
          <li>
            Your sessions: when each started and was last used, its IP address and browser. You can see and end them
            under Settings, Sessions. Ended sessions are deleted after 90 days.
          </li>
          <li>The organisations you belong to, and your role there.</li>
        </ul>
      </Part>
      <Part title="What is stored about your work">
        <ul>
          <li>Calls: the number, the caller, time, duration, outcome, notes and cost.</li>
          <li>Leads with their contact details, notes and files, as you enter, import or sync them.</li>
          <li>Phone numbers, integrations and settings of the organisation.</li>
          <li>Costs, payments, and the billing details that you enter.</li>
          <li>
            An audit log: who changed what, when, and from which IP address and browser. It is deleted after the number
            of days set under Settings, Audit log.
          </li>
        </ul>
        <p>
          All of it belongs to the organisation, and its members can see it. Leadline does not record calls. If an owner
          has turned voicemail on, callers’ messages are stored and deleted after the number of days set under Settings,
          Voicemail.
        </p>
      </Part>
      <Part title="Where it is stored">
        <p>
          In the database and the data folder of this server. Secrets of carriers and CRMs are stored encrypted. The
          server’s log holds requests with their IP address and time. The server’s administrator decides how long to
          keep it.
        </p>
      </Part>
      <Part title="Who else receives it">
        <p>
          The carrier that connects a call receives the number called, your organisation’s caller ID and the audio. A
          CRM that your organisation connects receives requests for its leads, and each call with them: number, time,
          duration, outcome, note, and who called. If an owner or admin turns it on, it also receives your changes of
          leads. A payment provider receives the amount of each top-up, and what you enter on its own page. Invitations
          and password links go through the administrator’s mail server. If this server uses single sign-on, that
          provider learns when you log in. No one else receives anything: there are no analytics, advertising or content
          from other sites.
        </p>
      </Part>
      <Part title="In your browser">
        <p>
          Local storage holds only your session tokens, until you log out. One cookie stores for seven days whether the
          sidebar is open. Two more store your theme and notification choices for a year. The browser’s database stores
          your microphone and speaker. Until it is closed, each tab stores unsaved notes, a pending invitation, a login
          in progress, whether it carries a call’s audio, and which first steps are done. The microphone is used during
          calls, and to show its level in the call settings.
        </p>
      </Part>
      <Part title="Your rights">
        <p>
          Under Settings, Account you can read and change your details, download what is stored about you, and delete
          your account. If you are an organisation’s only owner, you can delete it under Settings, Organisations. If an
          organisation called you, its admins can export and erase what it stores about you. A number on its do-not-call
          list stays there, so that nobody calls it.
        </p>
      </Part>
    </Prose>
  );
}
